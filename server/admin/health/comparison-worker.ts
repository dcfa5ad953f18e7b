import { parentPort, workerData } from 'node:worker_threads';
import { compareApplies, MetadataError } from '../../../permissions/index.ts';
import type { ComparisonResult, ComparisonTask } from './compare-in-thread.ts';

const { before, after, naming } = workerData as ComparisonTask;

parentPort?.postMessage(await compared());

async function compared(): Promise<ComparisonResult> {
  try {
    const changes = await compareApplies(before, after, naming);
    return {
      changes: changes.map(({ class: weight, sentence, details, inheritedBy }) => ({
        ...{ class: weight, sentence, details: [...details], inheritedBy: [...inheritedBy] },
      })),
    };
  } catch (error) {
    if (error instanceof MetadataError) return { unreadable: error.message };
    throw error;
  }
}

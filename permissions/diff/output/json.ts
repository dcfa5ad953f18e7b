import { countClasses, isUndecided, type Place } from '../change.ts';
import type { DiffReport, ReportedChange } from '../report.ts';
import { summaryOf } from '../words/summary.ts';

/** The version of the shape. It grows when a member changes its meaning or goes away, and not for new members. */
const shapeVersion = 1;

/** Formats a comparison as JSON in the shape that the documentation describes. */
export function diffJson(report: DiffReport): unknown {
  return {
    version: shapeVersion,
    old: report.before,
    new: report.after,
    summary: summaryOf(report),
    counts: countClasses(report.changes),
    changes: report.changes.map(changeJson),
  };
}

function changeJson(change: ReportedChange): unknown {
  const { aspect, role, table, command, sentence, details, rows, evidence } = change;
  return {
    class: change.class,
    undecided: isUndecided(change),
    ...{ aspect, role: role ?? null, table: table ?? null, command: command ?? null },
    ...{ sentence, details, inheritedFrom: change.inheritedFrom, inheritedBy: change.inheritedBy },
    ...{ old: placeJson(change.before), new: placeJson(change.after) },
    rows: rows
      ? {
          verdict: rows.verdict,
          old: rows.beforeText,
          new: rows.afterText,
          reason: rows.reason ?? null,
          gained: rows.gained ?? null,
          lost: rows.lost ?? null,
        }
      : null,
    evidence: evidence ?? null,
  };
}

function placeJson(place: Place | undefined): unknown {
  return place ? { file: place.file, line: place.line, column: place.column } : null;
}

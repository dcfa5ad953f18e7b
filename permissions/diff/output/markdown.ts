import { escapeMarkdown } from '../../text/markdown.ts';
import type { Place } from '../change.ts';
import type { DiffReport, ReportedChange } from '../report.ts';
import { summaryOf } from '../words/summary.ts';
import { type MergedChange, mergeAlike } from './merge-alike.ts';
import { groupsOf, notesOf, placeText } from './text.ts';

/** The longest comment that GitHub accepts has 65,536 characters. */
const maxLength = 60_000;

/** Formats a comparison as Markdown for a pull request. Names from the YAML are escaped. */
export function diffMarkdown(report: DiffReport): string {
  const title = `### Permissions: ${escapeMarkdown(report.before)} → ${escapeMarkdown(report.after)}`;
  const lines = [title, '', `**${escapeMarkdown(summaryOf(report))}**`];
  let length = lines.join('\n').length;
  let omitted = 0;
  for (const { title: heading, changes } of groupsOf(report.changes)) {
    const section = ['', `#### ${escapeMarkdown(heading)}`, ''];
    for (const text of mergeAlike(changes).map(changeText)) {
      if (length + text.length > maxLength) omitted += 1;
      else {
        lines.push(...section.splice(0), text);
        length += text.length + heading.length + 10;
      }
    }
  }
  if (omitted > 0) lines.push('', `${omitted} more changes are left out here.`);
  return lines.join('\n');
}

function changeText(change: MergedChange): string {
  const place = placeOf(change);
  const notes = notesOf(change).map((note) => `  - ${escapeMarkdown(note)}`);
  const more = change.more > 0 ? ` and ${change.more} more` : '';
  const where = place ? ` (${escapeMarkdown(placeText(place))}${more})` : '';
  return [`- ${escapeMarkdown(change.sentence)}${where}`, ...notes].join('\n');
}

function placeOf({ after, before }: ReportedChange): Place | undefined {
  return after ?? before;
}

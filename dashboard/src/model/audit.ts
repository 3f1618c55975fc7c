// What the audit of a set-up says: the words of its page.

import type { Answers } from '../api/api-types.ts';

export type Audit = Answers['GET /v1/repos/{owner}/{repository}/audit'];
export type Finding = Audit['findings'][number];

const WORDS: Record<Finding['certainty'], string> = {
  sure: 'Sure',
  if_required: 'If it is required',
  cannot_tell: 'Cannot tell',
};

/** `.github/workflows/ci.yml:7`; line 0 stands for all of it. */
export function placeOf({ path, line }: Pick<Finding, 'path' | 'line'>): string {
  return line === 0 ? path : `${path}:${line}`;
}

/** Whether a group will wait, be cancelled or pass untested because of it. */
export function isSureToBreak({ certainty, weight }: Pick<Finding, 'certainty' | 'weight'>): boolean {
  return certainty === 'sure' && weight === 'breaks';
}

/** How sure a finding is; what is sure to break stands out not by its colour alone. */
export function wordsOf(finding: Pick<Finding, 'certainty' | 'weight'>): string {
  return isSureToBreak(finding) ? 'Sure to break' : WORDS[finding.certainty];
}

/** What was found, and how much could not be told: it never says that everything is right. */
export function conclusionOf({ base_ref, commit, findings, rules_known }: Audit): string {
  const unsure = findings.filter(({ certainty }) => certainty === 'cannot_tell').length;
  const breaking = findings.filter(isSureToBreak).length;
  const found = breaking === 0 ? 'nothing is sure to break' : `${breaking} ${breaking === 1 ? 'setting is' : 'settings are'} sure to break`;
  const told = unsure === 0 ? '' : `; ${unsure} ${unsure === 1 ? 'thing' : 'things'} could not be told`;
  const rules = rules_known ? '' : ' Which checks are required is not known.';
  return `\`${base_ref}\` at \`${(commit ?? 'an unknown commit').slice(0, 12)}\`: ${found}${told}.${rules}`;
}

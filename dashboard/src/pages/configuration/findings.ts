// What the server says about a document, at its lines.

import { change } from '../../api/client.ts';
import type { Answers } from '../../api/api-types.ts';
import type { Problem, SubmittedDocument } from '../../api/types.ts';
import { repositoryPath, type Name } from '../../model/question.ts';
import { findKey } from '../../model/yaml.ts';

export interface Finding {
  line: number;
  column: number;
  message: string;
  severity: 'error' | 'warning';
}

type Outline = Answers['POST /v1/repos/{owner}/{repository}/configuration-simulator'];

/** A valid document has an outline, an invalid one has errors; otherwise the request itself failed. */
export interface Verdict {
  outline: Outline | null;
  findings: Finding[];
  problem: Problem | null;
}

export async function judge(name: Name, text: string): Promise<Verdict> {
  const result = await change<Outline>('POST', repositoryPath(name, '/configuration-simulator'), { config_yml: text } satisfies SubmittedDocument);
  if (result.ok) return { outline: result.data, findings: result.data.deprecations.map((one) => deprecation(text, one)), problem: null };
  const errors = result.problem.errors ?? [];
  const isJudged = result.problem.status === 422 && errors.some((one) => one.name === '/config_yml');
  if (!isJudged) return { outline: null, findings: [], problem: result.problem };
  const findings = errors.map(({ line, column, message }): Finding => ({ line: line ?? 1, column: column ?? 1, message, severity: 'error' }));
  return { outline: null, findings, problem: null };
}

function deprecation(text: string, { message, deadline, path_to_field: path }: Outline['deprecations'][number]): Finding {
  const key = path === null ? null : findKey(text, path);
  return { line: key?.line ?? 1, column: key?.column ?? 1, message: `${message}; accepted here until ${deadline}`, severity: 'warning' };
}

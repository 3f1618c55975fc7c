// The requests that most people send, for the page that describes the API.

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** The heading that the description lists it under. */
  tag: string;
  answers: string;
}

const REPOSITORY = '/v1/repos/{owner}/{repository}';

export const MOST_USED: readonly ApiRequest[] = [
  { method: 'POST', path: `${REPOSITORY}/events`, tag: 'Events', answers: 'sends what happened in a queue' },
  { method: 'GET', path: '/v1/repos', tag: 'Administration', answers: 'lists repositories, with their figures if you ask for them' },
  { method: 'GET', path: `${REPOSITORY}/summary`, tag: 'Statistics', answers: 'has the figures of a period beside those of another one' },
  { method: 'GET', path: `${REPOSITORY}/stats/total_queue_time`, tag: 'Statistics', answers: 'has the time in queue in intervals, as one of the statistics' },
  { method: 'GET', path: `${REPOSITORY}/stays`, tag: 'Statistics', answers: 'lists the stays that ended in a period' },
  { method: 'GET', path: `${REPOSITORY}/queue`, tag: 'Statistics', answers: 'shows what is in the queues now, and when it will probably merge' },
  { method: 'GET', path: `${REPOSITORY}/pulls/{number}/history`, tag: 'Statistics', answers: 'tells everything about one pull request' },
  { method: 'POST', path: `${REPOSITORY}/forecast`, tag: 'Forecast', answers: 'replays the recorded weeks with other settings' },
  { method: 'POST', path: `${REPOSITORY}/pulls/{number}/simulator`, tag: 'Configuration', answers: 'says what a document would do with a pull request' },
  { method: 'GET', path: `${REPOSITORY}/export/{table}`, tag: 'Events', answers: 'exports a table as CSV or Parquet' },
];

/** Where Swagger UI puts a request: it makes such a name for one without an `operationId`. */
export function anchorOf({ method, path, tag }: ApiRequest): string {
  return `#/${tag}/${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z0-9]/g, '_')}`;
}

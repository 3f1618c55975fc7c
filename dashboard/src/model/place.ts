// Which page a URL names. Paths are relative to the prefix that the server writes into <base>.

export const REPOSITORY_PAGES = ['overview', 'queue', 'alerts', 'ci-checks', 'forecast', 'set-up', 'configuration', 'sources', 'settings'] as const;
export type RepositoryPage = (typeof REPOSITORY_PAGES)[number];

export type Place =
  /** All, or those of one owner. */
  | { page: 'repositories'; of?: string }
  /** The user's session, application keys, and channels of owners. */
  | { page: 'account' }
  /** Which queues are read, and the way to add one. */
  | { page: 'queues' }
  | { page: 'unknown' }
  | { page: RepositoryPage; owner: string; repository: string }
  | { page: 'pull'; owner: string; repository: string; number: number };

const OWNER = /^[a-zA-Z0-9-]{1,40}$/;
const REPOSITORY = /^[\w.-]{1,100}$/;
const NUMBER = /^\d{1,15}$/;

/** The repository in `owner/name`, or null if the name is invalid. */
export function repositoryNamed(text: string): { owner: string; repository: string } | null {
  const [owner = '', repository = '', ...rest] = text.trim().split('/');
  return OWNER.test(owner) && REPOSITORY.test(repository) && rest.length === 0 ? { owner, repository } : null;
}

/** The page of a path without its prefix and leading slash, such as `r/acme/widgets/queue`. */
export function placeOf(path: string): Place {
  const parts = path.replace(/\/+$/, '').split('/');
  if (parts.length === 1 && parts[0] === '') return { page: 'repositories' };
  if (parts.length === 1 && parts[0] === 'settings') return { page: 'account' };
  if (parts.length === 1 && parts[0] === 'sources') return { page: 'queues' };
  if (parts.length === 2 && parts[0] === 'r' && OWNER.test(parts[1]!)) return { page: 'repositories', of: parts[1]! };
  const [root, owner = '', repository = '', page, number = '', ...rest] = parts;
  if (root !== 'r' || !OWNER.test(owner) || !REPOSITORY.test(repository) || rest.length > 0) return { page: 'unknown' };
  if (page === undefined) return { page: 'overview', owner, repository };
  if (page === 'pulls' && NUMBER.test(number)) return { page: 'pull', owner, repository, number: Number(number) };
  const found = REPOSITORY_PAGES.find((one) => one === page && one !== 'overview');
  return found && number === '' ? { page: found, owner, repository } : { page: 'unknown' };
}

export function pathOf(place: Place): string {
  if (place.page === 'repositories') return place.of === undefined ? '' : `r/${place.of}`;
  if (place.page === 'unknown') return '';
  if (place.page === 'account') return 'settings';
  if (place.page === 'queues') return 'sources';
  const repository = `r/${place.owner}/${place.repository}`;
  if (place.page === 'pull') return `${repository}/pulls/${place.number}`;
  return place.page === 'overview' ? repository : `${repository}/${place.page}`;
}

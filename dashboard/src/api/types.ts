// Short names for bodies, and for the parts of answers that pages pass around.

import type { Answers, Bodies, Schemas } from './api-types.ts';

const REPOSITORY = '/v1/repos/{owner}/{repository}';
type Of<Path extends string> = `GET ${typeof REPOSITORY}${Path}` extends keyof Answers
  ? Answers[`GET ${typeof REPOSITORY}${Path}`]
  : never;

export type Summary = Schemas['summary'];
export type Figures = Summary['all'];
export type FigureName = keyof Figures;
export type Figure = Figures[FigureName];
export type Judged = Summary['comparison']['failure_rate'];
export type Verdict = NonNullable<Judged['verdict']>;
export type Interval = NonNullable<Summary['series']>[number];

export type QueueNow = Of<'/queue'>;
export type Queue = QueueNow['queues'][number];
export type Entry = Queue['entries'][number];

export type Repository = Answers['GET /v1/repos']['repositories'][number];
export type Problem = Schemas['Problem'];

export type Session = Answers['GET /v1/session'];
export type SignIn = Bodies['POST /v1/session'];

export type Stay = Of<'/stays'>['stays'][number];
export type PullHistory = Of<'/pulls/{number}/history'>;
export type StayInDetail = PullHistory['stays'][number];
export type Check = StayInDetail['checks'][number];
export type CiExecution = Check['ci_checks'][number];
export type Bisection = StayInDetail['bisections'][number];

export type Key = Answers['GET /v1/keys']['keys'][number];
export type WantedKey = Bodies['POST /v1/keys'];

export type EnabledProducts = Bodies[`PUT ${typeof REPOSITORY}/products`];
export type SubmittedDocument = Bodies[`POST ${typeof REPOSITORY}/configuration-simulator`];

export type Source = Of<'/sources'>['sources'][number];
export type AddedSources = Answers['GET /v1/sources'];
export type AddedSource = AddedSources['sources'][number];
export type GitHubApp = AddedSources['github_apps'][number];
export type WantedSource = Bodies['POST /v1/sources'];
export type TestedSource = Answers['POST /v1/sources/test'];
export type RepositoriesOfApp = Answers['GET /v1/github-apps/{id}/repositories'];
export type BegunApp = Answers['POST /v1/github-apps/begin'];
export type WantedApp = Bodies['POST /v1/github-apps/begin'];

export type ForecastRequest = Schemas['ForecastRequest'];
export type Forecast = Schemas['Forecast'];
export type SearchRequest = Schemas['SearchRequest'];
export type Search = Schemas['ForecastSearch'];
export type Combination = Schemas['Combination'];
export type Recommendation = Of<'/forecast/recommendation'>;
export type CapacityRequest = Schemas['CapacityRequest'];
export type Capacity = Schemas['ForecastCapacity'];
export type Explanation = Schemas['Explanation'];
/** Replicates of an explanation. */
export interface Replayed {
  done: number;
  total: number;
}
export type FigureExplained = Schemas['FigureExplained'];
export type CauseFound = Schemas['CauseFound'];
export type SimulatedReport = NonNullable<Answers[`POST ${typeof REPOSITORY}/pulls/{number}/simulator`]['details']>['report'];
export type SimulatedRepository = NonNullable<Answers[`POST ${typeof REPOSITORY}/simulator`]['details']>;
export type SimulatedRow = SimulatedRepository['pull_requests'][number];
export type Ranged = Schemas['Ranged'];
export type RangedFigures = Schemas['RangedFigures'];
export type RecordedFigures = Schemas['RecordedFigures'];
export type QueueSettings = Schemas['QueueSettings'];
export type Grade = Forecast['trust']['grade'];
export type Changes = Of<'/changes'>;
export type Change = Changes['changes'][number];
export type Alert = Of<'/queue'>['alerts'][number];
export type DatedAlert = Of<'/alerts'>['alerts'][number];
export type Incident = Of<'/alerts'>['incidents'][number];
export type ReferencePeriod = Of<'/reference-periods'>['reference_periods'][number];
export type QueueThresholds = Of<'/thresholds'>['queues'][number];
export type WantedPreview = Bodies[`POST ${typeof REPOSITORY}/thresholds/preview`];
export type WantedSettings = Bodies[`PUT ${typeof REPOSITORY}/settings`];
/** What is read can be sent back. */
export interface Settings {
  thresholds: NonNullable<WantedSettings['thresholds']>;
  reference_periods: NonNullable<WantedSettings['reference_periods']>;
  prices: NonNullable<WantedSettings['prices']> | null;
  /** Only for those who may manage channels. */
  notifications?: NonNullable<WantedSettings['notifications']>;
}
export type WantedPeriod = Bodies[`POST ${typeof REPOSITORY}/reference-periods/preview`];
export type SetThreshold = Settings['thresholds'][number];
export type Rule = NonNullable<Settings['notifications']>[number]['rules'][number];
export type Channels = Of<'/channels'>;
export type Channel = Channels['channels'][number];
export type WantedChannel = Bodies[`POST ${typeof REPOSITORY}/channels`];

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
export type Interval = NonNullable<Summary['series']>[number];

export type Target = Summary['targets'][keyof Summary['targets']];

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

export type Prices = Bodies[`PUT ${typeof REPOSITORY}/prices`];

export type Source = Of<'/sources'>['sources'][number];

export type ForecastRequest = Schemas['ForecastRequest'];
export type Forecast = Schemas['Forecast'];
export type SearchRequest = Schemas['SearchRequest'];
export type Search = Schemas['ForecastSearch'];
export type Combination = Schemas['Combination'];
export type Recommendation = Of<'/forecast/recommendation'>;
export type CapacityRequest = Schemas['CapacityRequest'];
export type Capacity = Schemas['ForecastCapacity'];
export type SimulatedReport = NonNullable<Answers[`POST ${typeof REPOSITORY}/pulls/{number}/simulator`]['details']>['report'];
export type SimulatedRepository = NonNullable<Answers[`POST ${typeof REPOSITORY}/simulator`]['details']>;
export type SimulatedRow = SimulatedRepository['pull_requests'][number];
export type Ranged = Schemas['Ranged'];
export type RangedFigures = Schemas['RangedFigures'];
export type RecordedFigures = Schemas['RecordedFigures'];
export type QueueSettings = Schemas['QueueSettings'];
export type Grade = Forecast['trust']['grade'];
export type Change = Of<'/changes'>['changes'][number];
export type QueueProblem = Of<'/queue-problems'>['queue_problems'][number];
export type Baseline = Of<'/baselines'>['baselines'][number];
export type WantedBaseline = Bodies[`PUT ${typeof REPOSITORY}/baselines/{name}`];
export type QueueThresholds = Of<'/thresholds'>['queues'][number];
export type WantedThresholds = Bodies[`PUT ${typeof REPOSITORY}/thresholds`];
export type Channel = Of<'/channels'>['channels'][number];
export type WantedChannel = Bodies[`POST ${typeof REPOSITORY}/channels`];
export type Targets = Bodies[`PUT ${typeof REPOSITORY}/targets`];

--
-- PostgreSQL database dump
--

\restrict mergecast

-- Dumped from database version 15.19 (Debian 15.19-0+deb12u1)
-- Dumped by pg_dump version 15.19 (Debian 15.19-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: added_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.added_sources (
    id text NOT NULL,
    source text NOT NULL,
    repository text NOT NULL,
    owner text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    sealed text NOT NULL,
    app_id text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    paused_at bigint
);


--
-- Name: alerts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alerts (
    repository_id integer NOT NULL,
    id text NOT NULL,
    since bigint NOT NULL,
    ended_at bigint,
    document text NOT NULL,
    figure text NOT NULL,
    origin text NOT NULL,
    base_ref text NOT NULL,
    queue_name text NOT NULL,
    found_at bigint NOT NULL
);


--
-- Name: application_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.application_keys (
    id text NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    owner text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    last_used_at bigint
);


--
-- Name: audit_lines; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_lines (
    id text NOT NULL COLLATE pg_catalog."C",
    happened_at bigint NOT NULL,
    owner text,
    repository text,
    document text NOT NULL
);


--
-- Name: bisection_ends; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bisection_ends (
    repository_id integer NOT NULL,
    bisection bigint NOT NULL,
    ended_at bigint NOT NULL,
    group_id integer NOT NULL,
    culprit_found boolean NOT NULL,
    max_failures_reached boolean NOT NULL
);
ALTER TABLE ONLY public.bisection_ends ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: bisection_starts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bisection_starts (
    repository_id integer NOT NULL,
    bisection bigint NOT NULL,
    depth integer NOT NULL,
    started_at bigint NOT NULL,
    group_id integer NOT NULL,
    batch_size integer NOT NULL
);
ALTER TABLE ONLY public.bisection_starts ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: causes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.causes (
    repository_id integer NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    phase text NOT NULL,
    happened_at bigint NOT NULL,
    base_ref text,
    queue_name text,
    document text NOT NULL,
    stored_at bigint NOT NULL,
    due_at bigint NOT NULL,
    done_at bigint,
    announced text
);


--
-- Name: channels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.channels (
    id text NOT NULL,
    owner text NOT NULL,
    repository text NOT NULL,
    kind text NOT NULL,
    sealed text NOT NULL,
    document text NOT NULL,
    created_at bigint NOT NULL,
    paused_at bigint,
    result text,
    digest_at bigint
);


--
-- Name: checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checks (
    repository_id integer NOT NULL,
    stay bigint NOT NULL,
    run bigint NOT NULL,
    started_at bigint,
    started_group integer,
    batch_size integer,
    ended_at bigint,
    ended_group integer,
    outcome text
)
WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE ONLY public.checks ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: ci_block_sums; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_block_sums (
    repository_id integer NOT NULL,
    first_day integer NOT NULL,
    days_changed_at bigint NOT NULL,
    base_ref integer NOT NULL,
    queue_name integer NOT NULL,
    name integer NOT NULL,
    runner integer NOT NULL,
    runs bigint NOT NULL,
    failed bigint NOT NULL,
    seconds bigint NOT NULL,
    waited bigint NOT NULL,
    seconds_buckets text NOT NULL,
    seconds_counts text NOT NULL,
    waited_buckets text NOT NULL,
    waited_counts text NOT NULL
);


--
-- Name: ci_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_checks (
    repository_id integer NOT NULL,
    name integer NOT NULL,
    base_ref integer NOT NULL,
    queue_name integer NOT NULL,
    runner integer NOT NULL,
    seconds_bucket integer,
    waited_bucket integer,
    run bigint NOT NULL,
    happened_at bigint NOT NULL,
    queued_at bigint,
    started_at bigint,
    ended_at bigint,
    placed_at bigint NOT NULL,
    thread bigint,
    is_required boolean,
    conclusion text,
    check_id text NOT NULL,
    id text NOT NULL,
    source text NOT NULL,
    url text
);


--
-- Name: ci_day_sums; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_day_sums (
    repository_id integer NOT NULL,
    day integer NOT NULL,
    base_ref integer NOT NULL,
    queue_name integer NOT NULL,
    name integer NOT NULL,
    runner integer NOT NULL,
    runs bigint NOT NULL,
    failed bigint NOT NULL,
    seconds bigint NOT NULL,
    waited bigint NOT NULL,
    seconds_buckets text NOT NULL,
    seconds_counts text NOT NULL,
    waited_buckets text NOT NULL,
    waited_counts text NOT NULL
);


--
-- Name: ci_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_days (
    repository_id integer NOT NULL,
    day integer NOT NULL,
    is_summed boolean NOT NULL,
    changed_at bigint NOT NULL
);


--
-- Name: ci_prices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_prices (
    repository_id integer NOT NULL,
    document text NOT NULL
);


--
-- Name: ci_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_runs (
    repository_id integer NOT NULL,
    run bigint NOT NULL,
    key_high bigint NOT NULL,
    key_low bigint NOT NULL,
    attempt integer NOT NULL,
    executions integer NOT NULL,
    base_ref integer NOT NULL,
    queue_name integer NOT NULL,
    placed_at bigint NOT NULL,
    failed_name integer,
    failed_runner integer,
    failed_at bigint,
    critical_name integer,
    critical_runner integer,
    critical_bucket integer,
    seconds bigint NOT NULL,
    waited bigint NOT NULL,
    seconds_by_runner text NOT NULL,
    recovered text NOT NULL,
    batch_id text NOT NULL
);


--
-- Name: ci_texts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ci_texts (
    repository_id integer NOT NULL,
    number integer NOT NULL,
    text text NOT NULL
);


--
-- Name: cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cursors (
    repository_id integer NOT NULL,
    source text NOT NULL,
    "position" text,
    reached bigint
);


--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    repository_id integer NOT NULL,
    number bigint NOT NULL,
    thread bigint NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    guid text NOT NULL,
    digest bytea NOT NULL,
    event text NOT NULL,
    action text NOT NULL,
    received_at bigint NOT NULL,
    happened_at bigint NOT NULL,
    is_about_queue boolean NOT NULL,
    fields bytea NOT NULL,
    body bytea,
    dictionary text
);
ALTER TABLE ONLY public.deliveries ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: dictionaries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.dictionaries (
    repository_id integer NOT NULL,
    id text NOT NULL,
    made_at bigint NOT NULL,
    body bytea NOT NULL
);

ALTER TABLE ONLY public.dictionaries REPLICA IDENTITY FULL;


--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    repository_id integer NOT NULL,
    number bigint NOT NULL,
    key_high bigint NOT NULL,
    key_low bigint NOT NULL,
    group_id integer NOT NULL,
    stay bigint,
    run bigint,
    batch_size integer,
    id text NOT NULL,
    type text NOT NULL,
    happened_at bigint NOT NULL,
    source text NOT NULL,
    session_id text,
    pull_request bigint,
    batch_id text,
    attempt integer,
    batch_pull_requests text,
    reason text,
    outcome text,
    schedule_wait bigint,
    freeze_wait bigint,
    depth integer,
    culprit_found boolean,
    max_failures_reached boolean,
    thread bigint,
    head_sha text
)
WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.events ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: expired; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.expired (
    repository_id integer NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    times bigint NOT NULL
);


--
-- Name: github_apps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.github_apps (
    id text NOT NULL,
    slug text NOT NULL,
    owner text NOT NULL,
    url text NOT NULL,
    sealed text NOT NULL,
    has_webhook boolean NOT NULL,
    installed text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: groups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.groups (
    repository_id integer NOT NULL,
    group_id integer NOT NULL,
    base_ref text NOT NULL,
    queue_name text NOT NULL,
    priority_rule_name text
);
ALTER TABLE ONLY public.groups ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: key_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_state (
    version bigint NOT NULL
);


--
-- Name: leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.leases (
    name text NOT NULL,
    holder text NOT NULL,
    until bigint NOT NULL,
    next_at bigint,
    error text
);


--
-- Name: looked_back; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.looked_back (
    repository_id integer NOT NULL,
    until bigint NOT NULL
);


--
-- Name: notices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notices (
    id text NOT NULL,
    channel_id text NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    phase text NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL,
    attempts bigint NOT NULL,
    next_at bigint NOT NULL
);


--
-- Name: pull_requests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pull_requests (
    repository_id integer NOT NULL,
    number bigint NOT NULL,
    title text NOT NULL,
    author text NOT NULL,
    url text NOT NULL,
    known_at bigint NOT NULL,
    "position" bigint,
    positioned_at bigint
);
ALTER TABLE ONLY public.pull_requests ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: queue_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.queue_counts (
    repository_id integer NOT NULL,
    queue integer NOT NULL,
    counts text NOT NULL
);


--
-- Name: recommendations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recommendations (
    repository_id integer NOT NULL,
    base_ref text NOT NULL,
    computed_at bigint NOT NULL,
    settings_version text NOT NULL,
    document text NOT NULL
);


--
-- Name: reference_periods; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reference_periods (
    repository_id integer NOT NULL,
    name text NOT NULL,
    document text NOT NULL,
    hours text NOT NULL,
    compared_at bigint,
    comparison text
);


--
-- Name: repositories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.repositories (
    repository_id integer NOT NULL,
    owner text NOT NULL,
    name text NOT NULL,
    folded text NOT NULL,
    platform_id bigint,
    former_names text
);


--
-- Name: repository_ids; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.repository_ids
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: repository_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.repository_state (
    repository_id integer NOT NULL,
    version bigint NOT NULL,
    events bigint NOT NULL,
    first_at bigint,
    last_at bigint,
    products text,
    snapshots bigint NOT NULL,
    recordings bigint NOT NULL,
    last_event bigint NOT NULL,
    last_subject bigint NOT NULL,
    last_group integer NOT NULL,
    deliveries bigint DEFAULT 0 NOT NULL,
    last_delivery bigint DEFAULT 0 NOT NULL,
    platform_id bigint,
    former_names text,
    ci_version bigint DEFAULT 0 NOT NULL,
    ci_checks bigint DEFAULT 0 NOT NULL,
    last_ci_run bigint DEFAULT 0 NOT NULL,
    last_ci_text integer DEFAULT 0 NOT NULL,
    kept_since bigint,
    judge_from bigint,
    judge_by bigint,
    judging_from bigint,
    verdict_version bigint DEFAULT 0 NOT NULL
);


--
-- Name: runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.runs (
    repository_id integer NOT NULL,
    run bigint NOT NULL,
    group_id integer NOT NULL,
    has_start boolean NOT NULL,
    has_verdict boolean NOT NULL,
    started_at bigint,
    ended_at bigint,
    batch_size integer
)
WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE ONLY public.runs ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    number integer NOT NULL,
    oldest_program integer NOT NULL,
    program text DEFAULT 'before 0.1.0'::text NOT NULL
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    digest text NOT NULL,
    is_code boolean NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    credential text NOT NULL,
    key_id text,
    sealed text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: skipped_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.skipped_deliveries (
    repository_id integer NOT NULL,
    source text NOT NULL,
    event text NOT NULL,
    action text NOT NULL,
    times bigint NOT NULL
);

ALTER TABLE ONLY public.skipped_deliveries REPLICA IDENTITY FULL;


--
-- Name: snapshots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.snapshots (
    repository_id integer NOT NULL,
    number bigint NOT NULL,
    is_open boolean NOT NULL,
    document text NOT NULL
);
ALTER TABLE ONLY public.snapshots ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sources (
    repository_id integer NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    deliveries bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL
);


--
-- Name: stays; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stays (
    repository_id integer NOT NULL,
    stay bigint NOT NULL,
    pull_request bigint,
    entered_at bigint,
    entered_group integer,
    left_at bigint,
    left_group integer,
    reason text,
    batch_id text,
    retries integer NOT NULL,
    queue_time bigint,
    ci_runtime bigint,
    idle_capacity bigint,
    idle_schedule bigint,
    idle_freeze bigint,
    head_sha text
)
WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE ONLY public.stays ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: subjects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.subjects (
    repository_id integer NOT NULL,
    number bigint NOT NULL,
    key_high bigint NOT NULL,
    key_low bigint NOT NULL
);
ALTER TABLE ONLY public.subjects ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: thread_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.thread_links (
    repository_id integer NOT NULL,
    thread bigint NOT NULL,
    is_owner boolean NOT NULL,
    name text NOT NULL
);
ALTER TABLE ONLY public.thread_links ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: threads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.threads (
    repository_id integer NOT NULL,
    number bigint NOT NULL,
    source text NOT NULL,
    name text NOT NULL,
    standing text NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    is_about_queue boolean NOT NULL,
    translation integer DEFAULT 0
);
ALTER TABLE ONLY public.threads ALTER COLUMN repository_id SET STATISTICS 0;


--
-- Name: thresholds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.thresholds (
    repository_id integer NOT NULL,
    base_ref text DEFAULT ''::text NOT NULL,
    queue_name text DEFAULT ''::text NOT NULL,
    figure text NOT NULL,
    millionths bigint,
    alert boolean DEFAULT true NOT NULL
);


--
-- Name: untranslated; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.untranslated (
    repository_id integer NOT NULL,
    thread bigint NOT NULL,
    source text NOT NULL,
    reason text NOT NULL,
    times bigint NOT NULL,
    last_at bigint NOT NULL
);
ALTER TABLE ONLY public.untranslated ALTER COLUMN repository_id SET STATISTICS 0;

ALTER TABLE ONLY public.untranslated REPLICA IDENTITY FULL;


--
-- Name: verdict_states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.verdict_states (
    repository_id integer NOT NULL,
    day integer NOT NULL,
    base_ref text NOT NULL,
    queue_name text NOT NULL,
    document bytea NOT NULL
);


--
-- Name: verdicts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.verdicts (
    repository_id integer NOT NULL,
    stay bigint NOT NULL,
    left_at bigint NOT NULL,
    pull_request bigint NOT NULL,
    judged_at bigint NOT NULL,
    revision integer NOT NULL,
    base_ref text NOT NULL,
    queue_name text NOT NULL,
    session_id text NOT NULL,
    cause text NOT NULL,
    act text NOT NULL,
    said_act text NOT NULL,
    document text NOT NULL
);


--
-- Name: waiting_threads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.waiting_threads (
    repository_id integer NOT NULL,
    thread bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL
);
ALTER TABLE ONLY public.waiting_threads ALTER COLUMN repository_id SET STATISTICS 0;

ALTER TABLE ONLY public.waiting_threads REPLICA IDENTITY FULL;


--
-- Name: withdrawn_ends; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.withdrawn_ends (
    repository_id integer NOT NULL,
    subject bigint NOT NULL,
    type text NOT NULL
);


--
-- Data for Name: added_sources; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.added_sources (id, source, repository, owner, name, url, sealed, app_id, created_at, created_by, paused_at) FROM stdin;
\.


--
-- Data for Name: alerts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.alerts (repository_id, id, since, ended_at, document, figure, origin, base_ref, queue_name, found_at) FROM stdin;
\.


--
-- Data for Name: application_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.application_keys (id, digest, name, owner, scopes, created_at, expires_at, last_used_at) FROM stdin;
fbeeafb6ef28	6133abef601f460f568f953d9a12aa2a4681e68be6f0012c795e426c8f2ffb0e	a release	acme	read	1791244800000000	\N	\N
\.


--
-- Data for Name: audit_lines; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_lines (id, happened_at, owner, repository, document) FROM stdin;
00065d20ae028000d170b46d	1791244800000000	acme	harbor	{"event":"products changed","who":"admin token","address":"127.0.0.1","details":{"products":["merge_queue"]}}
00065d20ae0280012f51296c	1791244800000001	acme	harbor	{"event":"settings changed","who":"admin token","address":"127.0.0.1","details":{"changes":["thresholds: added time_in_queue_p95 of all queues: above 1h, without alerts","prices: set to USD 0.008 a minute"]}}
00065d20ae02800212db8f4f	1791244800000002	acme	\N	{"event":"key created","who":"admin token","address":"127.0.0.1","details":{"key":"fbeeafb6ef28","name":"a release","scopes":["read"],"expires_at":null}}
\.


--
-- Data for Name: bisection_ends; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bisection_ends (repository_id, bisection, ended_at, group_id, culprit_found, max_failures_reached) FROM stdin;
1	11	1791163504054815	1	t	f
1	25	1791184820938608	2	t	f
2	19	1789381260000000	1	t	f
2	18	1789381260000000	1	t	f
\.


--
-- Data for Name: bisection_starts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bisection_starts (repository_id, bisection, depth, started_at, group_id, batch_size) FROM stdin;
1	11	0	1791162746586680	1	2
1	25	0	1791181750580645	2	2
2	19	0	1789380660000000	1	2
2	18	0	1789380660000000	1	2
\.


--
-- Data for Name: causes; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.causes (repository_id, kind, key, phase, happened_at, base_ref, queue_name, document, stored_at, due_at, done_at, announced) FROM stdin;
\.


--
-- Data for Name: channels; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.channels (id, owner, repository, kind, sealed, document, created_at, paused_at, result, digest_at) FROM stdin;
\.


--
-- Data for Name: checks; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.checks (repository_id, stay, run, started_at, started_group, batch_size, ended_at, ended_group, outcome) FROM stdin;
1	1	3	1791162021219638	1	2	1791162511803558	1	INTERMEDIATE_RESULTS_SKIPPED
1	2	3	1791162021430679	1	2	1791162511944358	1	INTERMEDIATE_RESULTS_SKIPPED
1	4	6	1791162035647856	1	2	1791162511504816	1	SUCCESS
1	5	6	1791162036675716	1	2	1791162511652631	1	SUCCESS
1	7	9	1791162040422797	1	2	1791162509044417	1	CHECKS_RETRIED
1	8	9	1791162041455915	1	2	1791162509225168	1	CHECKS_RETRIED
1	7	10	1791162509797584	1	2	1791162746219391	1	CHECKS_FAILED
1	8	10	1791162510951683	1	2	1791162746403726	1	CHECKS_FAILED
1	7	12	1791162747269481	1	1	1791163298806586	1	SUCCESS
1	8	13	1791162748092981	1	1	1791163270031995	1	CHECKS_RETRIED
1	8	14	1791163270659888	1	1	1791163501893706	1	CHECKS_FAILED
1	15	22	1791180000597566	2	4	1791181744545230	2	SUCCESS
1	16	22	1791180001759075	2	4	1791181744583749	2	SUCCESS
1	17	22	1791180002894172	2	4	1791181744769611	2	SUCCESS
1	18	22	1791180003566289	2	4	1791181744860080	2	SUCCESS
1	19	23	1791180004744310	2	2	1791180511063032	2	CHECKS_RETRIED
1	20	23	1791180005025663	2	2	1791180511226706	2	CHECKS_RETRIED
1	19	24	1791180512318365	2	2	1791181390818056	2	CHECKS_FAILED
1	20	24	1791180513203727	2	2	1791181390959344	2	CHECKS_FAILED
1	19	26	1791181751284212	2	1	1791184024372379	2	SUCCESS
1	20	27	1791181751649640	2	1	1791182729305377	2	CHECKS_RETRIED
1	20	28	1791182730357864	2	1	1791184819466183	2	CHECKS_FAILED
1	21	29	1791183600674224	3	1	1791186893869884	3	SUCCESS
1	30	32	1791183624968078	1	2	1791184123607772	1	INTERMEDIATE_RESULTS_SKIPPED
1	31	32	1791183625985950	1	2	1791184123714040	1	INTERMEDIATE_RESULTS_SKIPPED
1	33	35	1791183648179687	1	2	1791184123465886	1	SUCCESS
1	34	35	1791183648440838	1	2	1791184123478182	1	SUCCESS
1	36	38	1791183671669032	1	2	1791184094140055	1	CHECKS_RETRIED
1	37	38	1791183671963959	1	2	1791184094319124	1	CHECKS_RETRIED
1	36	39	1791184095468079	1	2	1791184714415715	1	SUCCESS
1	37	39	1791184095970390	1	2	1791184714576035	1	SUCCESS
1	40	41	1791187555832967	4	1	1791188906359314	4	SUCCESS
1	42	43	1791188212467782	4	1	1791189919495201	4	SUCCESS
1	44	47	1791189182389641	4	3	1791189908829315	4	PR_WITH_HIGHER_PRIORITY_QUEUED
1	45	47	1791189182995351	4	3	1791189908917884	4	PR_WITH_HIGHER_PRIORITY_QUEUED
1	46	47	1791189183412435	4	3	1791189908959728	4	PR_WITH_HIGHER_PRIORITY_QUEUED
1	50	51	1791189910117321	5	1	1791190944626399	5	SUCCESS
1	44	52	1791189910393116	4	4	1791191348463368	4	SUCCESS
1	45	52	1791189911039744	4	4	1791191348632574	4	SUCCESS
1	46	52	1791189911537050	4	4	1791191348677699	4	SUCCESS
1	48	52	1791189912489446	4	4	1791191348778950	4	SUCCESS
1	49	53	1791189994472032	4	1	\N	\N	\N
1	54	56	1791190947232524	4	2	\N	\N	\N
1	55	56	1791190948426324	4	2	\N	\N	\N
1	57	60	1791192498408194	4	2	\N	\N	\N
1	59	60	1791192499169323	4	2	\N	\N	\N
1	58	61	1791192499607268	3	1	\N	\N	\N
2	8	3	1789380150000000	1	3	1789381200000000	1	SUCCESS
2	14	15	1789381200000000	1	1	1789381800000000	1	CHECKS_FAILED
2	16	17	1789383000000000	1	1	1789383600000000	1	SUCCESS
2	7	3	1789380150000000	1	3	1789381200000000	1	SUCCESS
2	7	10	1789381860000000	1	1	1789382400000000	1	SUCCESS
2	2	10	1789380390000000	1	1	1789381200000000	1	SUCCESS
2	2	3	\N	\N	\N	1789380180000000	1	CHECKS_INTERRUPTED
3	4	5	1789380060000000	1	1	1789380600000000	1	CHECKS_FAILED
3	6	7	1789380060000000	1	1	1789380660000000	1	BATCH_AHEAD_FAILED
3	6	9	1789380660000000	1	1	1789381200000000	1	SUCCESS
3	10	11	1789380060000000	1	1	1789380660000000	1	BATCH_AHEAD_FAILED
3	10	12	1789380660000000	1	1	1789381200000000	1	SUCCESS
\.


--
-- Data for Name: ci_block_sums; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_block_sums (repository_id, first_day, days_changed_at, base_ref, queue_name, name, runner, runs, failed, seconds, waited, seconds_buckets, seconds_counts, waited_buckets, waited_counts) FROM stdin;
\.


--
-- Data for Name: ci_checks; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_checks (repository_id, name, base_ref, queue_name, runner, seconds_bucket, waited_bucket, run, happened_at, queued_at, started_at, ended_at, placed_at, thread, is_required, conclusion, check_id, id, source, url) FROM stdin;
\.


--
-- Data for Name: ci_day_sums; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_day_sums (repository_id, day, base_ref, queue_name, name, runner, runs, failed, seconds, waited, seconds_buckets, seconds_counts, waited_buckets, waited_counts) FROM stdin;
\.


--
-- Data for Name: ci_days; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_days (repository_id, day, is_summed, changed_at) FROM stdin;
\.


--
-- Data for Name: ci_prices; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_prices (repository_id, document) FROM stdin;
1	{"currency":"USD","per_minute":8000000,"by_runner":{}}
\.


--
-- Data for Name: ci_runs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_runs (repository_id, run, key_high, key_low, attempt, executions, base_ref, queue_name, placed_at, failed_name, failed_runner, failed_at, critical_name, critical_runner, critical_bucket, seconds, waited, seconds_by_runner, recovered, batch_id) FROM stdin;
\.


--
-- Data for Name: ci_texts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ci_texts (repository_id, number, text) FROM stdin;
\.


--
-- Data for Name: cursors; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.cursors (repository_id, source, "position", reached) FROM stdin;
2	activity-log	next	1790812800000000
\.


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.deliveries (repository_id, number, thread, source, kind, guid, digest, event, action, received_at, happened_at, is_about_queue, fields, body, dictionary) FROM stdin;
2	1	1	activity-log	import	0-81000000	\\xe076b0a70df29e9a9ffca6e89c220a55317f53db1fefd5c38e9d5c08e0e9b88c	action.queue.enter		1791244800000000	1789380000000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000000000000014b	block 2342e98de3053d94
2	2	1	activity-log	import	0-81000002	\\x0bfc31d694822a9030cfd0ea1d9f4b9d2281e545fe6a3d9a4b0fac32c9fa8d64	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block 2342e98de3053d94
2	3	1	activity-log	import	0-81000003	\\x7268b82301fb89388ede93175951334d918c572bb9383faa34414684c77b010b	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000002f800000221	block 2342e98de3053d94
2	4	1	activity-log	import	0-81000004	\\x2c2353d2f17938a4b5e2675afe16cdeb4312ee46c4214f0cac699bdb6b1bd8fd	action.queue.merged		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e6d6572676564222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000005190000014c	block 2342e98de3053d94
2	5	1	activity-log	import	0-81000005	\\xbd20d0466bbdf67647aa705ce5cd964253c8312db0025a20bcb14fc78533ee2f	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000066500000206	block 2342e98de3053d94
2	6	1	activity-log	import	1-81000000	\\xbd971102091327393122d85ffa6ac094548d531cd6df0f22bfac890c02510615	action.queue.enter		1791244800000000	1789380006000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030363030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030363030303030307d	\\x000000000000014b	block bb752fe7f1d08f32
2	7	4	activity-log	import	1-81000001	\\x3247b53e7323522138c0ac8125a946f72c8d765d817885e74a4b9e328998d6e4	action.queue.enter		1791244800000000	1789380012000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303031323030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031323030303030307d	\\x0000014b0000014b	block bb752fe7f1d08f32
2	8	5	activity-log	import	1-81000002	\\x3958eec038deb67321801c377c4921fc08271525a82b7a4a894dbedee6d67b3e	action.queue.enter		1791244800000000	1789380018000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303031383030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031383030303030307d	\\x000002960000014b	block bb752fe7f1d08f32
2	9	1	activity-log	import	1-81000003	\\x7c53d56a62c4215f4feba0710ba3a3304572b7c2c3b15cc2f1b24ada98225e52	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030317d	\\x000003e1000001b1	block bb752fe7f1d08f32
2	10	4	activity-log	import	1-81000004	\\x2a13c2efbdaed2465b128a8ea67457dcdc89364d82ea3d014819ee0f75783037	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030317d	\\x00000592000001b1	block bb752fe7f1d08f32
2	11	5	activity-log	import	1-81000005	\\x61f9720ef33556220f91bde07514652075411e91337a143bca73f57fde8041fc	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030317d	\\x00000743000001b1	block bb752fe7f1d08f32
2	12	1	activity-log	import	1-81000006	\\x231e942165fa0e897154afacecd6638229d071758501df51ea17ddc286c8ee1a	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030362c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000008f400000225	block bb752fe7f1d08f32
2	13	1	activity-log	import	1-81000007	\\x5d080a51baa1060a38d5176e68cfa1aeb2aaf08a47e53506525c1ae2fc3e8c1f	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030372c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030363030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x00000b1900000206	block bb752fe7f1d08f32
2	14	4	activity-log	import	1-81000008	\\xf3f4634cdb796a455e5b7ecc5a7ac5b1f24620f56bb3dd2a27751b551a174aa2	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030382c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x00000d1f00000225	block bb752fe7f1d08f32
2	15	4	activity-log	import	1-81000009	\\x52b77f5ac05750f5db6410d6e886ba706d1e0d87c5b2779c3a546047f5da2eff	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030392c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031323030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2239373438323037376439346135666138373533643366393631303337383131393930326635373138227d	\\x00000f4400000206	block bb752fe7f1d08f32
2	16	5	activity-log	import	1-81000010	\\xcd743d5118a91cd7bbbacded265a491485cb6f8926de493b8b0ea9f63a560405	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303031302c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x0000114a00000225	block bb752fe7f1d08f32
2	17	5	activity-log	import	1-81000011	\\x30481a1edb06000bdc0f753484d171f399921f43a4e2f2d20f5503f8992ec19b	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303031312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031383030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2262353765333162356435613036373164323962663466343133613064366565643439613862373465227d	\\x0000136f00000206	block bb752fe7f1d08f32
2	18	1	activity-log	import	2-81000001	\\x906c7e47af4f06281264335acfdebae92ade6ce7943400d6e3ae0629e0162aa1	action.queue.checks_start		1791244800000000	1789380240000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303234303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block 1397a35568f8cbcf
2	19	1	activity-log	import	2-81000002	\\xd5db8338f4b81a81fbb58b1e5ae4429f8d315e425d27ca6255b7ce19d773bc8a	action.queue.checks_end		1791244800000000	1789381440000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313434303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303234303030303030302c22636865636b735f656e6465645f6174223a313738393338313434303030303030302c22636f6465223a22434845434b535f52455452494544222c2269735f61626f72746564223a747275657d	\\x000002f80000022c	block 1397a35568f8cbcf
2	20	1	activity-log	import	2-81000003	\\xb8875f10cc7278f0ed9681b380466dbb525822bb1c6a8758c93f5a7ef1ba88ee	action.queue.checks_start		1791244800000000	1789381500000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313530303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030327d	\\x00000524000001ad	block 1397a35568f8cbcf
2	21	1	activity-log	import	2-81000004	\\x6033831009088cd413a105b855047ce65bfd6875f2f7425e9e14419b54a2cb3c	action.queue.checks_end		1791244800000000	1789382700000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323730303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030322c22636865636b735f737461727465645f6174223a313738393338313530303030303030302c22636865636b735f656e6465645f6174223a313738393338323730303030303030307d	\\x000006d100000221	block 1397a35568f8cbcf
2	22	1	activity-log	import	2-81000005	\\x1d72f7ac3fd08f8a20a66046e3f0506622999ab6422551d2662035340d1dd516	action.queue.leave		1791244800000000	1789383330000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338333333303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22667265657a655f77616974223a3630303030303030302c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000008f200000208	block 1397a35568f8cbcf
2	26	1	activity-log	import	4-81000000	\\xd84c53ab9721e16c66086bd9e03dce546a6c01089eef0db5ee64fee41f3e08ed	action.queue.checks_end		1791244800000000	1789381440000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313434303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303234303030303030302c22636865636b735f656e6465645f6174223a313738393338313434303030303030302c22636f6465223a22434845434b535f52455452494544222c2269735f61626f72746564223a747275657d	\\x000000000000022c	block 4b3367877416e20f
2	27	1	activity-log	import	4-81000001	\\x102ba10020ea62045ef744d30dd37cfbb3b861e386b05aef97805d6aaff36b33	action.queue.checks_start		1791244800000000	1789381500000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313530303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030327d	\\x0000022c000001ad	block 4b3367877416e20f
2	28	1	activity-log	import	4-81000002	\\x4472b10adbd4617a6479318e0d718053d9e46cd78012ec9cf88119aa42fc7978	action.queue.checks_end		1791244800000000	1789382700000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323730303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030322c22636865636b735f737461727465645f6174223a313738393338313530303030303030302c22636865636b735f656e6465645f6174223a313738393338323730303030303030307d	\\x000003d900000221	block 4b3367877416e20f
2	29	1	activity-log	import	4-81000003	\\x158644ff5772dcade0bcbc17622435b247bc5e8d28ce8eb0242e0889ac87d709	action.queue.leave		1791244800000000	1789383330000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338333333303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000005fa00000206	block 4b3367877416e20f
2	37	4	activity-log	import	6-81000000	\\xd44fa2cc4124e3f2726f0114317004470f9140aa3e6229a463c31d3c7bdfbf4f	action.queue.enter		1791244800000000	1789380000000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000000000000014b	block 844d9f0c88020ec2
2	38	4	activity-log	import	6-81000001	\\x86fc99fe5cd5943eb3c7386661364ad3a30e3b809881d65b2a17c5547fc2a38a	action.queue.checks_start		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block 844d9f0c88020ec2
2	39	4	activity-log	import	6-81000002	\\x251209606aa17e8d99ef6265980557a984c5252a6afdc3ba5c930efa75c5b1ad	action.queue.checks_end		1791244800000000	1789380540000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303534303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a2242415443485f41484541445f4641494c4544222c2269735f61626f72746564223a747275657d	\\x000002f80000020c	block 844d9f0c88020ec2
2	40	4	activity-log	import	6-81000003	\\x1da00c70696871db33a18f76f03e5ed701143a9df98269ce787e72961ddcf296	action.queue.checks_start		1791244800000000	1789380600000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303630303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a225a222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030317d	\\x00000504000001ad	block 844d9f0c88020ec2
2	41	4	activity-log	import	6-81000004	\\x493b6a6d82c65c7a9b81dd79891daff8a2dc84a24e22b911b788a1bfe3cc9def	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a225a222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303630303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000006b100000221	block 844d9f0c88020ec2
2	42	4	activity-log	import	6-81000005	\\xc209525e5a625fb849cd168454866defee9667c5b13c3118b28d3fcaf1aa0d96	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a225a222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2239373438323037376439346135666138373533643366393631303337383131393930326635373138227d	\\x000008d200000206	block 844d9f0c88020ec2
2	55	1	activity-log	import	11-81000001	\\x0ec10be058292ed072d656447fa94ff6ae4f84f8ff8a9eb48841804628f3ad2f	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a22424153455f4252414e43485f4348414e474544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000014b00000212	block 40fa59262f32f593
2	56	4	activity-log	import	11-81000002	\\xc80f5261e50cfa0d26d7b76701051df9769a7ccae6b4d60bf4ffcbef2717e3e2	action.queue.enter		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303036303030303030307d	\\x0000035d00000159	block 40fa59262f32f593
2	57	1	activity-log	import	11-81000003	\\xd09a51f4b896036a2681b058c65592372e8f1067d8cdaa873fc69ab2203814dd	action.queue.enter		1791244800000000	1789380360000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303336303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a312c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303336303030303030307d	\\x000004b600000159	block 40fa59262f32f593
2	23	1	activity-log	import	3-81000002	\\x8c2707d024033132a8af18f1ab208b0bec6969a072fc6305461c0f42eeca1c02	action.queue.checks_start		1791244800000000	1789381500000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313530303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030327d	\\x000002f8000001ad	block 9abea509122fa3f2
2	24	1	activity-log	import	3-81000003	\\x2530444a279201993a06294fa143d2d50b1272e10f7bc15b0b37d2a920d0234b	action.queue.checks_end		1791244800000000	1789382700000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323730303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030322c22636865636b735f737461727465645f6174223a313738393338313530303030303030302c22636865636b735f656e6465645f6174223a313738393338323730303030303030307d	\\x000004a500000221	block 9abea509122fa3f2
2	25	1	activity-log	import	3-81000004	\\xa1e0182a56c744494f1fa36b91ac57117ebfd63de15a41f0153ff1aa12e2df69	action.queue.leave		1791244800000000	1789383330000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338333333303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000006c600000206	block 9abea509122fa3f2
2	30	1	activity-log	import	5-81000001	\\xb1998772896430cbf52691d577614bffdb3f19c13003bc3bbd2aa45576ba6f63	action.queue.checks_start		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block 73efbbb19dcdc3c2
2	31	1	activity-log	import	5-81000002	\\xa970888437349dde43290462481958e1d6857e77d7fcf2e5fa447dc0f5d0cf29	action.queue.checks_end		1791244800000000	1789380600000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303630303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303036303030303030302c22636865636b735f656e6465645f6174223a313738393338303630303030303030302c22636f6465223a22434845434b535f4641494c4544222c2269735f61626f72746564223a747275657d	\\x000002f80000022b	block 73efbbb19dcdc3c2
2	32	1	activity-log	import	5-81000003	\\x60e7f61df2926965de98a7b7cd94c9cb91b499220b922b3d366a131b87d0b139	action.queue.leave		1791244800000000	1789380606000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303630363030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a22434845434b535f4641494c4544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000005230000020b	block 73efbbb19dcdc3c2
2	33	1	activity-log	import	5-81000004	\\xefa70f1c03b9833bd747aad30758df0934d7ee9892e647c579507088ed46a118	action.queue.enter		1791244800000000	1789381800000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338313830303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338313830303030303030307d	\\x0000072e0000014b	block 73efbbb19dcdc3c2
2	34	1	activity-log	import	5-81000005	\\x069792ed26d85feba5b21351f2776ff4aaacc480af41d4c65d2b2ada2f4e5bdc	action.queue.checks_start		1791244800000000	1789381860000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313836303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x00000879000001ad	block 73efbbb19dcdc3c2
2	35	1	activity-log	import	5-81000006	\\xb5c991257a1117b69924e6178f07e8fdada4c13fc84a358054915d6358068c0b	action.queue.checks_end		1791244800000000	1789382400000000	t	\\x077b226964223a38313030303030362c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323430303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338313836303030303030302c22636865636b735f656e6465645f6174223a313738393338323430303030303030307d	\\x00000a2600000221	block 73efbbb19dcdc3c2
2	36	1	activity-log	import	5-81000007	\\x9686dc927a9d70ee261089a3982ad656c8277468ac5100b3bfa74b7fcccc109f	action.queue.leave		1791244800000000	1789382406000000	t	\\x077b226964223a38313030303030372c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338323430363030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338313830303030303030302c2262617463685f6964223a2259222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x00000c4700000206	block 73efbbb19dcdc3c2
2	43	1	activity-log	import	7-81000001	\\x9d7f57b222c672c9aa91f9339abd1e927c1a3f87be8676f13b38fc60cbf2f6e6	action.queue.checks_start		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001b3	block 094b084e0efd9679
2	44	1	activity-log	import	7-81000002	\\x8d56b4fa54a4fbfcae7b5f7d0c6720ac659e6fd6f797b4a1f5a12aead007a2a4	action.queue.checks_end		1791244800000000	1789380600000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303630303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303036303030303030302c22636865636b735f656e6465645f6174223a313738393338303630303030303030302c22636f6465223a22434845434b535f4641494c4544222c2269735f61626f72746564223a747275657d	\\x000002fe00000231	block 094b084e0efd9679
2	45	1	activity-log	import	7-81000003	\\xe5494a7bf6edfc5ecabbc20a694e5fd7919a15fc37921d8ea90148b796733055	action.queue.batch_bisection_start		1791244800000000	1789380660000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f7374617274222c2272656365697665645f6174223a313738393338303636303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c226465707468223a307d	\\x0000052f00000181	block 094b084e0efd9679
2	46	1	activity-log	import	7-81000004	\\x3ac2c4375b2504a83077f6b2542f959372d570d7812c7c1396f11a37672279b8	action.queue.batch_bisection_end		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f656e64222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c2263756c707269745f666f756e64223a747275657d	\\x000006b0000001a7	block 094b084e0efd9679
2	47	1	activity-log	import	7-81000005	\\xaf1ed533783d27d9e8b738167bbfd2e92a5426fd6a1ed19b75ee1662e5b403f0	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2244524f505045445f42595f424953454354494f4e5f454c494d494e4154494f4e222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000008570000021e	block 094b084e0efd9679
2	48	1	activity-log	import	8-81000001	\\xf3f4fc5100b5c774e25ede9ac788e8eb9d3a5971d73bf3b9a238bb147f0f1a35	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a2250525f4d414e55414c4c595f4445515545554544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000014b00000213	block 5ef5997450008143
2	49	1	activity-log	import	9-81000002	\\xaae26c011bad3b3c7c68a572c5318c646083ce6d971783af73f6605b174ba042	action.queue.checks_end		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303039303030303030302c22636865636b735f656e6465645f6174223a313738393338303330303030303030302c22636f6465223a2250525f4445515545554544222c2269735f61626f72746564223a747275657d	\\x000002f800000229	block b32964f8cd959190
2	50	1	activity-log	import	9-81000003	\\x808454582da5a84b5a2e7ac76f16f3dc4f219e281525b6df8e016b5d258666f6	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4445515545554544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000052100000209	block b32964f8cd959190
2	51	1	activity-log	import	10-81000002	\\xb58d7e082d11663396b234ffd8c4d5a78802e0cb0d6187850c3c1ff7717453f4	action.queue.checks_end		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a224d455247455f51554555455f5245534554222c2269735f61626f72746564223a747275657d	\\x000002f80000020b	block ab21544b8caf7cfc
2	52	1	activity-log	import	10-81000003	\\x471e508f1e0f55b8e5df9ca794e2b13e0471cbfe623a79324196c191fa958598	action.queue.checks_start		1791244800000000	1789380360000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303336303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x00000503000001ad	block ab21544b8caf7cfc
2	53	1	activity-log	import	10-81000004	\\x4139e60c0d6916a1744e2f0be126aa99305e2b78cbe5812ab87c7cf79cade9c1	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303339303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000006b000000221	block ab21544b8caf7cfc
2	54	1	activity-log	import	10-81000005	\\xe502cc6d0ef7512fac8d66ab7d891b3267ad45a4403898c952dd8a34fe8805af	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000008d100000206	block ab21544b8caf7cfc
3	2	1	github	webhook	delivery-002	\\xa853af9daa2f843eca949352d94e9b38768d86795b6be8f7dc3f06b68092f500	merge_group	checks_requested	1791244800000000	1789380060000000	t	\\x75934b0a82410c834f24f43ded71a6f338800bc1db5b447e19c4669745e00bcd17e6dcc93b76d6bb3fd6fd7903a05fbc401271f8dc35ade0f2ec72ff378047057b81e698250972406a8e5d3776eaad8d4ce5f08560675528a0739b8d5c849190db582b87a7011b76e766692945fa02	\\x021f0300	a853af9daa2f843e
3	4	2	github	webhook	delivery-004	\\xf87f6e6bb3a02eec7636cb526dd452fa3ef557e1cfe7ece6ada032b8860e581b	merge_group	checks_requested	1791244800000000	1789380060000000	t	\\x75934b0a43310845575430c6f8598e26ba800e0add7d4329af84529ddd81700ede2fccd993f7d9b5dffd91f7e70d807ef1ac2191c267ae6a59df195fe97f037828f0258a39974f11a8c919e68c4954062abdc2a402394e55953062aebd64a8d050b4f9a8e6e822336274d36cc09bf405	\\x00c3aba6207924a6985b18a526a724269b9b1ba4259ba52659269a19a59a98a4591a58981ba725599aa72519992591953c8c74498905e4e441b23e529307b1fe0600	a853af9daa2f843e
3	5	3	github	webhook	delivery-005	\\x18767799133fb3929780a6bf15ed2eee610e1b85347ef376b74177ce4703ad30	pull_request	enqueued	1791244800000000	1791244800000000	t	\\x437806910bc146a600937a596a51a5ae818129a6d72c0d8d4c4c2c0ca0009f3f8da12904e2b52453f35463c324d314d344033373c31423cba43493341343e3448314b3d4d41413cb448b247313704acf48cc4b47f8c0d2186e9d81416d2c00	\\x008bcdd1411100200804c04ae281681c18b084e52de0e8d7adb0ebd5826b0b0e2df8adc54513e41262a529451d3e7932c14ab4cce061dd957303	8457eecab4010877
3	6	3	github	webhook	delivery-006	\\x2b8fdc6682e751eda09d3c4c3a751a44f3e6eb2c19f0de8af46320c4a9bf5092	merge_group	checks_requested	1791244800000000	1789380060000000	t	\\x7593cb0903310c442b0a28b2a24f391e5b2a2087c076bf26840d2644c73908de63e60bb3efe4fd76aebabff279dc88f4172fee2ce2f4b96b5ad156a657fadf40db14c089abb934e2019642077591084b674271fa830cd855f569ce39661f66544313d19553a482dc5a21acc08a457a02	\\x00c3a5d2c10d80400844d18a4c08e002e5302b3461f37af6e46a0173f89977fee001276e7115e209d646825235c2caf97e85cb7732e0130fd9f230e79a474e33ea390a91834bb583dca411d6e081278fe5dd2a8fb7dd17	a853af9daa2f843e
3	8	2	github	webhook	delivery-008	\\x7013c2d7d11b15e07d075a5acc4868e020d3745675110e34c89672a381b17aa4	merge_group	destroyed	1791244800000000	1791244800000000	t	\\x7d93510ac34008444f5450b3bbea7174572150fa514aa0b7ef120a4d0964fc9fe10dce0fe63ca0dd7acc97dfe2f9be01c81951914a11f8ea8a970efb5f1f9bddd761af3de6d0830d168a3eac3343f616aed6284a4905e1255d399d9afff79501d5fb985794049058d06aa2913177f7baa804429bb81f	\\x009bab464a1e29408f14e557124e178929e61646a9c92989c9e6e60669c966a94996896646a9262669960616e6c6694996e6694946664964a50b235d52821f395d90ac8fd474418abff1a40b50d240a48bc46248e867e69525e664a62482f22500	a853af9daa2f843e
3	10	2	github	webhook	delivery-010	\\xa089cbbe581682bc1812d1a7e7c29e6e347ed9fd6bbb0e37b49a91357f3db3c0	merge_group	checks_requested	1791244800000000	1789380660000000	t	\\x7593510a033108444f54d06866cd71623407e847616fbfa1942da1d44fc181f770be307b4fdeb1b1defd95cff3414cbf788d8baad167ee6a353102eeed7f036553004d1e44961e0eb462863191fde8401593234433fbdc55b1528d090ccfc2cdc927a4561f122001f7750787eb22bd00	\\x00a3aba620799899a41a261b1858a426a52499990143cac22c39cd2c35d13cd1ccccd418180b29c626a9a9896964250fa3c19b3c48f1379ee4610800	a853af9daa2f843e
3	12	2	github	webhook	delivery-012	\\xb1b0cf1d82808a445fe4c2a2d6e1086e936c09949916c4a9c68ee93684829a2d	pull_request	dequeued	1791244800000000	1791244800000000	t	\\x7dd33d0a80300c05e01309f9ab490ee350a8757370101cbcbb522b1d94e6008f7cf05ec3d49196bc74f77c9fb76300a4afcb91440ceaf590f433fad29707ea2a46a09a5c62c8d13470e2ec2302ab21ba03e5a068051bd7a5799c0de9fde09c2e	\\x0013ab468a9694542cd16204766962314489af6b90bbab12de9832c2125346348d2923d263cad2dc04184de6e629962689a6698916e6a6c629c66996668606c6c03833b4b434304a333537b41888984acf2cc9284dd20507812e3846a293f24b6201	8457eecab4010877
3	13	2	github	webhook	delivery-013	\\x0ae5608791c46ca81ff010c7ba9eab6e4e0a496238127604f3292b867c3f5ec8	pull_request	closed	1791244800000000	1789381200000000	t	\\x8d934b0a80300c444f24e45793394ea174e5aa3b6f6fa9520511cc72766f26ef0133a52b63b8ad93b47d21d6371958cc82ae9b564183e54ebfe1e59fdae3b5ce4ee01642ee059653cde1498b56ac4ceac10c90d4e41c1de900	\\x0013ab468a96e49cfc62b44831c21b29465822c588d84841d8068f9692a25242b162447aac589a9b00a3c4dc3cc5d224d1342dd1c2dcd438c538cdd2ccd0c018183f869696064669a6e6861660cd10b710b01ae274028aa0262555a206447a66494669922e5856179c0da293f24b62072249e0700a00	8457eecab4010877
3	15	3	github	webhook	delivery-015	\\x417fc53a74ed982d27908db9e8a4ad21653acf67ce4fecfd6cf0929c2367e0dc	pull_request	closed	1791244800000000	1789381200000000	t	\\x8d93410a80300c045f24246dd236cf69487af2e4cddf5baa54410473dcdbec661e30533a1bc3ad9d64db17407e930906a202d74dab24160c77fa0d1fffa93d5eebec44397b4465e30a29a305d1468d3056b0e46e24b56826ef4807	\\x0013ab468a96e49cfc62b44831c61b29c65822c598d84841d8068f9692a25242b162447aac24999aa71a1b2699a698261a98991ba6185926a599a499181a271aa498a5a6a69858265a24999ba4823543dc42c06a88d30928829a9454891a10e9992519a549ba60595d7036884eca2f891d882481c32900	8457eecab4010877
2	58	4	activity-log	import	11-81000004	\\x92142abc8a82dc4dd11178a32cb22d8065b3e3e209a94c9f988ebc5b45da4b5c	action.queue.leave		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303036303030303030302c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2239373438323037376439346135666138373533643366393631303337383131393930326635373138227d	\\x0000060f00000215	block 40fa59262f32f593
2	59	1	activity-log	import	11-81000005	\\x7cef88e36d6b3764d53ec37781a111ec9f2ec805197326e2e646451ff3f15dcd	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a312c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303336303030303030302c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000082400000215	block 40fa59262f32f593
2	60	1	activity-log	import	12-81000002	\\xb046574149f735b1e8c4615f2250ecf0d866904c67c2274f7880da612c57e9ea	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393337393934303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000002f800000221	block f4ce011ec72e1f1e
2	61	1	activity-log	import	12-81000003	\\xa388fe30f41ee92bde294fe64b6ca46a8322b71d094f9d5b8044ff1b35935915	action.queue.leave		1791244800000000	1789381194000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313139343030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000051900000206	block f4ce011ec72e1f1e
2	62	1	activity-log	import	13-81000002	\\xcaac426d8ef50cb6c7ba7dd7216f15e8d18fc893b1b94005eb6a75acce40bac2	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303039303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000002f800000226	block 3d0f95bca451c88b
2	63	1	activity-log	import	13-81000003	\\x8cc4db5869d2610fbd7256dd87ce67888dcd71f25dcbf30a9b2faefdf1854b95	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000051e0000020b	block 3d0f95bca451c88b
2	64	1	activity-log	import	14-81000001	\\xfc65cc09e19ccbe4e802e88c4a33a0c42d1a3000427c1ec8bea482070023eea2	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a2250525f4d414e55414c4c595f4d4552474544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000014b00000211	block 015b1ae73c86b778
2	65	1	activity-log	import	15-81000002	\\xc01aae409e2158626043e260044b0f4b9615a9041f80fc233272346bd3825126	action.queue.checks_end		1791244800000000	1789380480000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303438303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a22494e5445524d4544494154455f524553554c54535f534b4950504544222c2269735f61626f72746564223a747275657d	\\x000002f800000216	block 57de623786b3543c
2	66	1	activity-log	import	15-81000003	\\x5b93ece5cee88441b0195f5b7f5329c267317d7892597d175d19f82a08e58b8a	action.queue.leave		1791244800000000	1789380540000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303534303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d45524745445f494e5445524d4544494154455f524553554c54535f534b4950504544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000050e00000223	block 57de623786b3543c
2	67	1	activity-log	import	16-81000000	\\x2b7add40eff89933418f5c4d41753775fc4284e8f11b4cf231374001e64da4c3	action.queue.leave		1791244800000000	1789385400000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338353430303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393336383030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000000000000206	block 2b7add40eff89933
2	68	1	activity-log	import	17-81000000	\\xbcccfc37f70ba36cdb7bf97524449343020166b632f536394a1d3e43bb8d3bd9	action.queue.enter		1791244800000000	1789380000000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030303030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000000000000014c	block 0f828776b04d5dc5
2	69	1	activity-log	import	17-81000001	\\x0a96c799f263b9045ddf7293fcc4b1d16c10768ad3aada06abd1530586b0d6c2	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a2250525f4445515545554544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000014c0000020b	block 0f828776b04d5dc5
2	70	1	activity-log	import	18-81000003	\\xb3e6d682fcdc38198ac430ea4d0e4354e7129c1d31bdd14e773c8ba58d7f1b23	action.queue.leave		1791244800000000	1789380606000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303630363030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a22434845434b535f4641494c4544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000005240000020c	block 758c7ecbbf34b310
2	71	1	activity-log	import	18-81000005	\\x237946a99046ef7a2af25aebb91b24239ddc2ea9ae43ad55c85719b1b9caa00f	action.queue.leave		1791244800000000	1789382406000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338323430363030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338313830303030303030302c22636f6465223a2250525f4445515545554544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000087b0000020b	block 758c7ecbbf34b310
2	72	1	activity-log	import	19-81000000	\\xaa69d12cbb3d8995d21956958347d5f6c9cb11cb6ea90aff74ddb11102530905	action.queue.batch_bisection_start		1791244800000000	1789380660000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f7374617274222c2272656365697665645f6174223a313738393338303636303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c226d656d62657273223a5b312c325d2c226465707468223a307d	\\x000000000000017e	block d32627f12fe71377
2	73	1	activity-log	import	19-81000001	\\xe20b1cdddd9fa810dc92257428713750ea5216126e9bb296a4b0a63ffd917050	action.queue.batch_bisection_end		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f656e64222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c226d656d62657273223a5b312c325d2c2263756c707269745f666f756e64223a747275657d	\\x0000017e000001a4	block d32627f12fe71377
2	74	4	activity-log	import	19-81000002	\\xa145fc00d9de6f0b76c6e46ed9c1ff1a1efe9a5681b088d9174edecb3ba0e4bd	action.queue.batch_bisection_start		1791244800000000	1789380660000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f7374617274222c2272656365697665645f6174223a313738393338303636303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c226d656d62657273223a5b312c325d2c226465707468223a307d	\\x000003220000017e	block d32627f12fe71377
2	75	4	activity-log	import	19-81000003	\\x6b18cd8e728c3590317483dbcba11e73ee9e2a26a51c3c9a2382158ba5f7a2cf	action.queue.batch_bisection_end		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f656e64222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c226d656d62657273223a5b312c325d2c2263756c707269745f666f756e64223a747275657d	\\x000004a0000001a4	block d32627f12fe71377
2	76	5	activity-log	import	19-81000004	\\x708b04b0dd0d6e6455c4e00f035d2c3bd1de6d4e5b6e7af188d765a94eb85900	action.queue.batch_bisection_start		1791244800000000	1789380660000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f7374617274222c2272656365697665645f6174223a313738393338303636303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c226d656d62657273223a5b332c345d2c226465707468223a307d	\\x000006440000017e	block d32627f12fe71377
2	77	5	activity-log	import	19-81000005	\\xbd27cfab4af6ca2b51c00847817174445a3f745051979ded83c71a34ba824172	action.queue.batch_bisection_end		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f656e64222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c226d656d62657273223a5b332c345d2c2263756c707269745f666f756e64223a747275657d	\\x000007c2000001a4	block d32627f12fe71377
2	78	13	activity-log	import	19-81000006	\\x65baf0087cfbd707e60d7754950d905de624e7dc6a6739c456da3dfdb170cbfd	action.queue.checks_start		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030362c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2265222c2270756c6c5f72657175657374223a352c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c226d656d62657273223a5b355d2c22636865636b65645f6e756d626572223a357d	\\x00000966000001ab	block d32627f12fe71377
2	79	13	activity-log	import	19-81000007	\\x90bdd859baa118b6d04abf8dd579cbea4ff27c8c5376673e7dc7cbf849fb9aa5	action.queue.checks_end		1791244800000000	1789381800000000	t	\\x077b226964223a38313030303030372c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313830303030303030302c2273657373696f6e223a2265222c2270756c6c5f72657175657374223a352c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c226d656d62657273223a5b355d2c22636865636b65645f6e756d626572223a352c22636f6465223a22434845434b535f4641494c4544222c2269735f61626f72746564223a747275657d	\\x00000b1100000205	block d32627f12fe71377
2	80	13	activity-log	import	19-81000008	\\x047da8acbf62e28cc931968541b1fe91524aa3b7fe80485d5a88a106cee076e8	action.queue.checks_start		1791244800000000	1789383000000000	t	\\x077b226964223a38313030303030382c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338333030303030303030302c2273657373696f6e223a2266222c2270756c6c5f72657175657374223a352c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c226d656d62657273223a5b355d2c22636865636b65645f6e756d626572223a357d	\\x00000d16000001ab	block d32627f12fe71377
2	81	13	activity-log	import	19-81000009	\\xe82a06afe53c6d6afa69573d8d7824ba07f231202f5048f14bfd84904fc44e46	action.queue.checks_end		1791244800000000	1789383600000000	t	\\x077b226964223a38313030303030392c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338333630303030303030302c2273657373696f6e223a2266222c2270756c6c5f72657175657374223a352c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c226d656d62657273223a5b355d2c22636865636b65645f6e756d626572223a357d	\\x00000ec1000001fb	block d32627f12fe71377
2	82	1	activity-log	import	20-81000001	\\x57f0d643ec1ccfa5de497be2e37fcbd5ca43ebf6923673d49db689e3ad365b45	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a225441524745545f4252414e43485f4348414e474544222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x0000014b00000214	block aec56171cc4b43cf
2	83	1	activity-log	import	21-81000002	\\x1523ae8f5f324eb1f42fc8fc3cb74e15cecc32bba0a4ca6763ed0220a2bb25e2	action.queue.checks_end		1791244800000000	1789380180000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303138303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a22534f4c41525f464c415245222c2269735f61626f72746564223a747275657d	\\x000002f800000205	block 4b8f10621d0a00eb
2	84	1	activity-log	import	21-81000003	\\xe7cd56c184ac0f8787e79fc507df5e8623b57141d4fd91d0aa3b08a889de86ec	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a22534f4c41525f464c415245222c22686561645f736861223a2237316336393338323031313331353932323738313431343530653932346636326537356533376466227d	\\x000004fd0000020a	block 4b8f10621d0a00eb
3	1	1	github	webhook	delivery-001	\\x8457eecab4010877241b502915ffa875cb2b2416128d813b9677f09d40b6fb0a	pull_request	enqueued	1791244800000000	1791244800000000	t	\\x437806910bc146a600937a596a51a5ae818121a6d72c0d8d4c4c2c0ca0009f3f0da12904e23573c364334b630b230343436343534b2323730b431343135383544b23933433a35473d35463f39434b0f712f3d2113e00ea328083da5800	\\x01970300	8457eecab4010877
3	3	2	github	webhook	delivery-003	\\x00c1c97c090aef1a8f2ce24df26f52e329eaa55f98cddf795eccfda9fc3a444f	pull_request	enqueued	1791244800000000	1791244800000000	t	\\x7dd3310a80300c05d013093f496b92c338146add1c1c0407efaed46207c11ce07f1efc744cffc21a99efa9eff3760c807c694e1c82a1dd9f93db421e9a6b30866af6906249a651b2141f09a246e40e2e51c92a2fad4b17b8bc75c0395d	\\x008bab26142d4678a3c5084bb4180db668b1343701c689b9798aa549a2695aa285b9a9718a719aa599a1813130820c2d2d0d8cd24ccd0d2d00	8457eecab4010877
3	7	1	github	webhook	delivery-007	\\xa116bd565bdedf33c9835914f650d13f72c0eec214bdf1a147e3529969a58415	pull_request	dequeued	1791244800000000	1791244800000000	t	\\x4378069a49c1e6a500d379596a51a5ae818139a6bf2c0d8d4c4c2c0ca0009f270d9132bdb367bc9ba3a74f68902b2cd1407c6b6e986c66696c61646068686c686a6964646e61686268626a906a6964926666946a6e9a6a6c9e9206f671625e3ac253405d06663067d4c60200	\\x0013ab468a9694541cd152949a580c51e2ec19efe6e8e9131ae4aa34c8a2cb707845577a66494669922e380874c1d1129d945f120b00	8457eecab4010877
3	9	3	github	webhook	delivery-009	\\xc4d4106ac07992284536bdce659a2f029a91bdee71bdb549fcc765b3feb078a1	merge_group	destroyed	1791244800000000	1791244800000000	t	\\x7d93610ac2500c834f24d4bebab6c769de6b6120fe1019787bc7109c0c9603247c21f9c11c0fb4598f75f24b3edf17223f22fa95458cbe3ae36dbbffcf8f25eef388d716b3eb01465ccda41177b014021422ee9ac684e2b41b29f0df570c35ce3ea2ab52f529e131718a9493692bb81678c28afb01	\\x009b9dd3410a42310c04d01309218d4d729c4cdbc007515010c4cbfb3f2e14174a3d401633f3727fe3d1d720e7d3edb70b1871169342dcc092085088b8eb305ee7e0617b52e02f1765175d8d47ebd154295b1df0a83c44d2c9b4245c135cf1e962fa6ed6c54cee2f2e361a2f177179b6bf1caf71587a6c7ff900	a853af9daa2f843e
3	11	3	github	webhook	delivery-011	\\xb4fdab93b09f260aef5c861b92f2c6c7030acdb545b89ac17475c6434010c95b	merge_group	checks_requested	1791244800000000	1789380660000000	t	\\x7593410a433108054f5450a3c61c27463d401785debea1945f42a94b850733f8be30674fdeb1b1dffd91f7e70d107ff10612b3c167ae6a8d66a07a6dff1b6887025996b4c4bc5856384c49c2322c920ab231d3a33cfaa94a397101d83ebaea20335da539fb549566ad47e3cc599bf405	\\x00a3a5d2c90d80500845d18a4cfe041fcb616cc2e665edc2042d8097907bae1f3c40c98702492c5093c6903d827a0c081b74b28b85d8fec4631eb8bc6b6b942b8298210835d0793322cc8c6c73b9733c7994efaa3c2a7fbff0e837	a853af9daa2f843e
3	14	3	github	webhook	delivery-014	\\x7191d6dcb6e64f4c17293dda514c14f8de3c2028b6cb8bee395caafb73edf831	pull_request	dequeued	1791244800000000	1791244800000000	t	\\x4378069a49c1e6a500d379596a51a5ae81a109a6bf2c0d8d4c4c2c0ca0009f278db1647a707a817834c9d43cd5d830c934c534d1c0ccdc30c5c83229cd24cdc4d038d120c52c3535c5c432d122c9dc049cee3312f3d211feb134b6303482b9a0361600	\\x0013ab468a9694542cd1620c766962314489af6b90bbab12de9832c61253c6348d2923d2632ac9d43cd5d830c934c534d1c0ccdc30c5c83229cd24cdc4d038d120c52c3535c5c432d122c9dc247520622a3db324a33449171c04bae018894eca2f890500	8457eecab4010877
\.


--
-- Data for Name: dictionaries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.dictionaries (repository_id, id, made_at, body) FROM stdin;
2	block 2342e98de3053d94	1791244800000000	\\xdd554b8fd33010fe2bab39a74bec3e93f3ae3821a11507044296634f5a6b53bbf8b1a854fdef4cdc4ab4a5341c3835ca2599c98cf33d66766034d40b56e6ab80b8dd20d4205534ce3e7e4f98f0116d440f05785468de500b192985977c362aab119b7c62655df6f7174a8ade2c97945ec31afd121f728907d397b0b2cb55362e98e8fc36f759e3c8f9c6c4779db43ab7d9a4ae131ee9c3407d58018d0c482fdabea634966ab814955bf707b598a2cf75d718a5965142bd83c64bab56bff3f3218495f9138dad4c5da4321b6f9c37712b7ceaf018b6d4bd8080211000a2070724a5e60ab7fe7cbfdf9d42c9af43a956a85e830851fafe003711e5f78d6823a35a1d00fefc2f0013291b54a9939134283290e25c2a3bb069ddf4daabca9274731a15875080fa2bfbb6bf206b7c932cb47a802a7ee7e2bfa04a36ce472467b4b20b58407e16ca6932e4c13e836ef98f6416706aaabf4c275e8ff3743aa612a5d7138f4c5e0a64725d2079c20d8a83ddb78f07b9be30dbf43a961dca371cf2d99d43a9fba59768b8652bc1c717f1e1f9e5fdf313c172945a1d7d22c70d62de2fcdb3f11a5039ab83f8214d3476295ae745203768da7c5097fdc6fb33a1f5883f0fe1b359ba42a94558d1aa853953b36abce025636336ad389f2fd8844da625567cd2ce38cea7389eeb16f6fb5f
2	block bb752fe7f1d08f32	1791244800000000	\\xe558cb6edb3010fc9580672525a927756ed0538122e8a168511094b8b285ca944b52295223ffde151d2089e2d887c4b1d018bed85ced92b3c3e1501bd26a52168c864f44fccd1a484954eddbde5cfc1e60800b301e2c8988851ada6bd052790ce19467e7549cb3e42ba325c56ff61d83bc6d170b0c2fc90aec02ce428ab3764c615417b2ac7bd7fadede843a2b38ef6dd5fa0f9d323a94590f5d272de0830eebb08854ca01fed18c39556b30473ff8ba5f8d133530781bf2aec02badbc22e5865456997a791f1f26218d0a8f6868d4d0794cb3b66d6f5b7f23edd0c1ddb0c1ea1171e01c0220477088c2d09061dfca6f6f370fa1c469bf004ac68f01253f3d94d52128c7954fa0c469bf04cae21850c6a787b23e0825ae7c02254e7b1794f512ea5f4e3aafecb82df6ee738e5bfd1888ce649f57cad7cbedb6ff7608e02d106e0df5d0298fca280390f2b1806d881956d5a88882525ce5c351b91d72a4fcc1221ec53f6f270d4be6dbb099a8c9cc1a96ceb76133d1ac99352cdbdb3030fa8020f2d1fbbc1f4154556f3da02b6a54e72022e1b7ac7b8d666c6b9df63ba500d5ab4a66441e1e5fcfb8535ec6a1f25d28b67577e05d37a7329cef264907ea1a0ef183fddffcd0a3511ff0e80b14205faee4e7cbab4f971f1196700140aa783b2053f6f322dc1d26d2e0a0ee8d76f28f6a7d6b16b2e9ad74d8418d6e9d947474e94f031a0bf0773bfce8a45d82d2d22df17a40725667222e38652c66a9e03c2f58c2929482e0499371c8538873dd4cdd53b19b05f79c3a44856349c53c8fe2f729156237494e2a1533e1c7eb48c5f66efc465221f2047522cfb54854daa8224f631d3722633446d1604250dea4392b2652c1509cf65cb44ee82ae66902dfa554b067de119d542a66c28f57928af0eee78da4a24a73885995ea54d12c679a8baa499a84c58aea0c40274215559e004ac53f
2	block 1397a35568f8cbcf	1791244800000000	\\xed564d8fd33010fd2b2b9fd3254e937ee4ba548010122a7b40206439f6a4b548ede28f45a5ea7f67e296d29692762f1c76897249fc3276de9b37336ba2242947348d5742fc6a09a4245c7865f4edb700016e417bb024211604a807908c7b84646936e8a5e31ecdef695aa6edfd0941deaad90ce12559809dc14d0c71a3da109a3731cad238e58d5dc57d16d033b652fe45c3b58cdb2c43d3300bf8a1c37d68422aee005fd46d4cae34c630c10bb3680faa21781be32ec073c93d27e59a54966b31ff8d8f87609ac74f24d43c341ec32cad3256f915b3a181ddb2c6dd13e2c0392480b5e4108ed018a1ebcf379bf5219578ec73548a3988af8e39cf6d7b804e46f3a7cd68c5bd986f09fe780dc128ca124468b8c71c649148769c2a6ba2c3a26a736f9ca628c0e12adb2e39527ea65f362762659d62819617a4ca9e9754bc32d6033ac3db0009898f4c18d9faf1eef5e4eeed07369ddc4fdf4c5efe635d1372e8afbf14aa5f5aeda0a8ee79e04ed4d35ce977e6ca35c6ce8affc63eee198f32369af56a63e79d625d3676febca4da1bbbe68d3b71f6b62f5e6c838facd25d625ee3e6bd972eb979a7e4a99b8bf309d2007f800b45bf28cafe539e78643b8105ecb4dbc2fe7ecade4da6af624d8f93ddbefe5f911327bdde81305a3af69d2baff48cd5c632870a4a1cc34899b6e3d79f80da02fcc0e5418a80a30a30072e999be3e44786540cc6fd519652daa7c538cb86239ad3bc48619ce5f520836101fda1acc966f313
2	block 9abea509122fa3f2	1791244800000000	\\xed554d8fda3010fd2bab39876d1c12203977d553a56ad543d5aab21c7b0256834dfdb11545fcf74e0c6a8145c0aab76da35c12bfbc99bc371f1bd00a9a19cbd3954158af101a1032686beebf478c788f26a0830c1c4ad44fa8b8080429f26232caeb112b3fb2bcc987fb338182d3f339c11b58a29be35da2b8d30385117d625959af8375eb14678923eb5a1ddef4c2a8146615fb9e3ba40f3dc56119b4c223bde8064ea10d71d818a45d0e891a8cc125de2506a14410d06ca075c2c8c51f7c4a821b913e51d889d807a259396d9d0e6bee628ffb6343d133f0e83d09c00771401034315cfaf3ed76732825a57d4e4ab940f9cd731f841b12b8a868f9ba156d45908b9dc09f6e11984c59a18cbd0854833c09c98f4b6503262edba1f6ea3c27030e4ff9eec843f3857ddd9e9855fcb55945f5dface339f022b3c8809bcd1a5f340b8dbad257e5bf659568ad0b4863ac13bdc70cd2339756d1f4dccdbaaba3ed859d77c9cc0c0e27e0f955f2bb97f650b2f43c70efe4693797e70ba447f184576aa3aa9af16bde626ad8aa91a667b21f3e3cf2f70f8fef1ede922c695b53990417a94a6ea88993f9ed515aa33cff2174d066ce3bebb8270715ad5668f261a53e07740ef1e7eef8a8ff172814f70bdae5306572528f6745ced8985575514c67ac646595635d94dda4c06985e3a9ea60bbfd05
2	block 4b3367877416e20f	1791244800000000	\\xe5554d8fd33010fd2b2b9fd3c54e937ee4ba5b014248a8ec018190e5d893d622b58b3f1695aaff9d899bfd2a55bb07b407b637779e3d93f7decc6c8956a49a309a7e19099b35908a0819b435973f2344b8944b903f3c07a348461c48d0b7a0b80888cb693e1ad0e98015378c56795151fa1541c1e9c5021c0256e0167091deb9d0268033a24dafacadd7c1ba4d4ab6828175b50e6f5a6114decbc83ab62d7780173de66119a98507fca3e9de14da20c4c620edaaabd6400c2ebdbb8220940882545b523b61e4f2019f8ae046a42b0a1a11dbd06572da3a1d36dcc516fab0c1ec19f1e03db2c03b868840682d825cee8f5ff0286aeb026030b808fd914babba92aedecdae3e7ce6f3d9cdfcfdec1ac129fb51d628ed59f36b90b11501e9e58973fe94852d31715577b44e29454a1e47f93ee449f58d7dcf482f990fa2abf09856f44eab07758f037b5177bbddf6b15730ff09afa4c4f8d527dd52be2ab7fc6b03e4270c702816624f8875beb18bd725d57d6337a2f5079dbd1f0d2f29e673ba39bf13e85c37f74a1e1a6478dc202d885b38d3c665590dffe7a1afba25147122ef07fba739ff389bbf4d333d2db7fbf9ff0c4f1c2c100fd21ae5f92fa183360bde58c73d2aa87013918a761be86f40e3007eefc34f16c01284e27e89ab8f8c991c4d87939c323664e534cfc71356b0a2a430cd8b6694c3b884e1583564b7fb03
2	block 73efbbb19dcdc3c2	1791244800000000	\\xdd56cb8ed33014fd9591d7e91027e92b3b34948700090d2c8011b29cf8a6b5489d623b834ad57f1fdb4d3b69c8a459c02c5275d3fae6da398f7bbc439ca178867df7f190de6e00c588a69a17e2fa5709255c83d020918724a4c0ef8111aa4d49e00793913f1fe1e80bf663df7ebf9b222df97269ca63b406b9842bd7e28adb1682e6aecba6505c1772ebf659c3a89009d72f722a98db6653e63991601e54661feca1842a307f64b627e5c2f4284a9d166b7b5001a596aeef1a3465545314ef5022a948578ff5ee104450f708838c96b9366d36921792eb2d91650ed5b230bb7b488152060062c141d494ba0e5d6fbedfefea509a63b74199ae20fda988d254da0374228a878d684275ba3a00fcb50fc086940da4654eb5d12071409273a9ec9028d789d5dedcf70d01f55572585228bec33ff60db2824eb240b00b5439fd0f58fc0daa6852480dc6195a96e021f793a405b37ebc79bbb879ff99bc7ef9eec3e2d533d3eaa1babd9e9853475755a586dcf6c28ad3a654c276a9e440efa1874a26035609b323bb34d66c57828b03239a8ce6caa8e6e240b573ff6c4228480bc114f94db9e66249b242126568646678a3d8b743fbef824c02fc392c9f8d83155046d4caa4059ae274320f67818f7188c7f32098ce7084a3b10ff320ca26014cc7104e59861a53236a97429fb40c079c9649a7ebab376f40396e87b26ee70be60a8fbe1ee0fdc3225af3c2b74e804f17b1ff9696934eb22ea7653470f137a83aa56535f8ea7179b86cf61885ff8ccc3e1979f2d2a58cac986c66e4b45d207d32d2761c6a465a1b3732f2d32df9b8b87de36e4ac77c3c5caa9ed6c4293b1a3a6b4bbf678ec707
2	block 844d9f0c88020ec2	1791244800000000	\\xe5564f6fda3014ff2a95cfa17302342437b6b275d2264d552fdb34592ff10b580b36b39d4e0cf1dd673b88a629022eeb8145b9c47e79b67f7f9edf86084ef2494cc31311bb5e21c90994562879fdabc106af515ad424221a4b148fc819581792d0e46640b3413c7a88694efdfbcd05592de673179e9325ea395e851457c2a79050872c2b6584557a1dd659e240e942d83735481e96593575cd34ba1f8d5b2789480106dd40e57382902e876a6ca9967ea3121bab43de255ae06081e41b526890e5e2293e6c824908bf70aca0a9ad4bb3d2426961d74c3735eea6a55b3d22068d7100300f0e295c68c870ece4dbeda60b657c18ca7281e54fc38c05ed377014d1f8b2112dc0968b16e0afe700ec485961d9d4609d065900923d97ca86c8665978ed65943a02bab3ac9d3224ff9efcd8f6c8721a3ba4fb1d5928f929aab2ff8a2a2894b6e89c61758311099fac54dcfbf1edf4e1dd1d9bdecda6b7ecfdf4e3a7d9ed2b731b91aec776c5aa35f5139f9de1be168647b5708e714335bce052d831ae3fe5c9caf80f8d3b3a4ad669e326177e6bf5a8da1bb782daf49cdb5ae435c93ce8d45e5bb1f7d20beff602774cf6dd3c3e2c901ae1114f14f5e4c2ef5fee3bacc6dda46de1fe72cf3ecfee3f847a1d3ab77d7d3f43133d9d192c95e486fd0661859cb34a69661c83dcb55924a7bebd7a195069c43fedf4b38b7b81c09959b8be8e64e96892d034e5d908c6154cd2f1900fabec26a6c37412c75946936a9cc613b2ddfe05
2	block 094b084e0efd9679	1791244800000000	\\xdd56db8eda3010fd95959fc3360ee1fab60b5445ddeeaebafbd08b2acb4926603538a92fdb52c4bf776c58714b01a90f95403c24f164ec9c33e7cc2c88c848bf4b43ff0b88995740fa84a74694f2fa87050bd7200d28121005298817c8183718128551bb11f61a347ea6613f74ff2f186494984c30bc4f66a02670e5535c099742f2c267a94a2d4ca9e67e9f19344a9508f3a6e032f3db54b62898027c51e33e342009d7800f7297930b89394a6bd272e60e2ac11ae5f3cec0f08c1b4efa0b92282ed3e926de1f8249ee5fc920e7b63098a652a254c2cc99b205ac9725ee1e100d5a2300cc81433886fa0cc7be7cb95c6c4389c7ae83329d42fa5d336db87207388a28bd6c44136ed2e90ae04fe7008ca45490da821bac41e68164bba5b220d2ce12577bbd304402b657d96a4993fe571a44413388bf2df7288b8e5206323b419857c1054b608f309e94ca00eac3280b01f1b72c2d33a7cac1bbd1e0fd137b7b33be1b0dff0bb901d996da5f3ceb5561eb50a4b83e70cdec7ec134eb0b668553223478133d4becf4f52897619f9b8fcfa03268c4618da5eed5133af144608b60abe795aa95ec8ec9c6e711705abad165c18f2e89adcdb0bcb4e85a6b81cef82f96735158e59aa92e0beb5a3c5e722c7f8cca79a151c7079defdf696ad5d354007f81139e7a61c41c809bb931c7623b5bf9e6f0e3c3e3e368c86e3fb3dbf1d368f03c7eb867a3bbf187f1fd8dbb46b4fc54b5a1ebe45ce2c6a79d468bb654ca4cb39f5c18212758248a6957023803ad857a18902b80dfabe59dae3a059e313dc5a18b7468daee35bb51486993b67a51d4e9d298c6ad107a519cb723e8b4a0d9c972b25cfe01
2	block 5ef5997450008143	1791244800000000	\\xdd92414f03211085ff8ae1dc56d876bbddbd35696fd5a8b107bd9029cc7649b65081ada9cdfe77013536d1349e259ce0f166f8de9c8892a49a319ad680f8e31e4945407865f4e8a5c30e47a83d5a32201605aa034a0e3e48329a4d87b41cb2c923a3158dfb3988bc55db6d90576487768b57c9e24a450b0d6d72d91ba7bcb1c7546787436337ca5fb7a0652ab3efda965b0c0f5da8c30664030ec3411d3d41e9e0613a2fcc2e36aab1f336f9eed083040fa43a918d052d9a6f7d6a826b484f24d6d0b53ed8ecad3256f923b75d8b9fd73a541f1087ce05003cc22110a4c9e1d2cffbfe748e32b4fd1bca16e18009c20594f9ff462963b41d7261644cf0ee81dfcc6fd7f3d5ea892f96f7ebe57ab90884d2f404fa35b40effc03f8e89174d4aec2b4361b474fc1594577acb6b63b9130dca1036a9680cf9a7a0b6886f1fd7e773c81b04c95d13a68b144c4ccbf12ca38c8d595e665931631336c92996d9a49e6658e4382e644dfafe1d
2	block b32964f8cd959190	1791244800000000	\\xe5554d6fdb300cfd2b85ce4e67d9f9f4b9b96fc30a0c1b068196e858982d65fae89005f9efa394024bda34dd6987d5f0c5264dd2ef3d3eed9956ac59f2325f050bbb2db286810cda9adb1f1123dea209e858c11c4ad40fa804044aa9ca6a3e2957133efdc4cba64cf7174a0a4e6f3694deb011dd066f72891b9d4a18187295adf53a58b7cb7d469c58d7eaf06e00a3729b6d1c06e1903ef4d48717ac058ff4a24b35411baa616390764c831a8cc1e5ba2306501080357bd63a30b2ff939f871006f2270a3b8843a0325ba7add361275c1cf0316ca87bc13c7a4f0088040e034acd15aefdf9e1b03f8592c6be04a5ec517ef7c207706980ab88f2ff1bd11682ec8f007ffe1b8089942dca3840200d8a0ca43897ca9e9938b6497babb224024ea3e218f2acf9cabf1d9e90555d250b8d7a8daad99ba20a5aeb02d2660417b160f95148abd23ebeff28eed61feed7f7ebbb7f4c6ac14e97eb0597e24d9d5dea3195a87d21f1c8e853a1d4978532203ce01bd7884a861d69312fe9201f0524980e064f8a79d54c93e79fb98347698df2e227e8a0cd4674d6094f242a326ed694c9b09f27740ef1d7317c66053d8212bea793822db89cafea6555725ef3d9aaaa164b3ee5d35989ab6adacd2b5cccb05ea88e1d0ebf01
2	block ab21544b8caf7cfc	1791244800000000	\\xe5564b8fda3010fe2b2b9fc3360ecfe4dca8a74a2ddd95fad0ca72ec09580d36f5632b8af8ef9d3868cb661170a8f6c0222e642663f33d66664b9424c58ca6f19310bf59032908175e197dfb2b40805bd01e2c49880501ea1124e31e53b2349b0cd27c404777342dd2f6fb1d93bc558b05a6176405760137b1c48d6a4b68dec42a6be394377613cf59c1c0d84af9770dd7321eb30e4dc32ce08b0ecfa109a9b8037c50b735b9d258c3042fccaabda886e06dacbb02cf25f79c145b5259aec5f25f7ebc04d33cbe22a1e6a1f158666d95b1ca6f980d0decc31a4f4f8803e71000d6824338a6c60aa7fef96eb73d8412af7d0c4ab104f1d331e7b96d2f7012517add8856dc8b6507f0d74b004652d62042c33d6a904520d973a96c890eabaad55e9ea648c061947521478a1ff461d7232b3b491668798eaaf19ba28a57c67a4067781b2021f1271346b67efc58ce3f94ecf37d795fb279f9a5bc7b656a137268b17dafea3cbd0f209d078ffb52189e94c245be9dbc19317c7b6572fb648d4e9275deb7d9950fad8316db52f5e4db9a37ae67dcce2267a7dc7f6cc2479ddadf2a26c5306e152fbcdb4bdc33d917c8f8b8401ae08f70a6a767573e7e65bb60051ca45ddffe3467b175bf4758e2e2f6d4de2fd0444f670e84d1d2b1df5c79a517ac3696396450e296458ab4ddae5e26d416e04f177e36b797c025734b5cebc8948a493e9c6529a5433aceb36c3aa3233a1aa79067a37a92c1740cc3a9acc96ef717
2	block 40fa59262f32f593	1791244800000000	\\xdd964d8fda301086ffcaca676063e73b37768bba97ae2ada532f968927602938d476b6a568ff7b27665181a2888ab25d35ca291e8fed67de799d0d519214190dfc33206ebd025210513ad5e8d1d7165a18817660c8801828413d81e4c261080b58320cf2218d3ed3a008baf70b0639a3e6730c2fc812cc1c6e7c8a1bd5a5d0a2f659568d55ae316bbfce12868d9929775b0b2dfd32abb6aeb9019c68711d3a203361013f545d4ea134e6685a5736cb6ea31a5a677cde2538218513a4d8909911ba5cfc8af79be05af829122ad1d60ed3ac8c6a8c726b6eda1a5e8635ae3e2016ac4500bc83430486fa0c7d277f7edeeca3c46d9f42598378020fa10765fc7fa3945d695be06523bb0ade8d3f4df8dd74fc78ffc0ef1fc68fef27ef1090170fc2af446de10cfc9d4a5cb9f005db95b06cb4b4fc9b504ee939af1ac36db90089b52645d0d5f8f780ca00fcd80eefcb902f40486e17282e92d232c9c38c05948634ce194b331ad1280e20675195304863085359912345b0d38a38abb9e89514817bda6b2e03284f0bb76cf41d2b70768f1d4ebbacd566fdadb6e5700436bc006c7225b087ae7548e89f802dfbc16e391c818d4e833dc7c3d8b5ae8337a9d82347fb38e51f26d3431f73a6edb7b15d8bbf968de569841e96a6328f445c892c8d431956794283100d8de679c0aa38a5d9b18dc517886277c6ebfe23bc916efb1ba2d8d9d36b89e20feeb69f
2	block f4ce011ec72e1f1e	1791244800000000	\\xdd554d8fd33010fd2bab39a78b9d7e2667569c90d08a030221cbb1278d4562177f2c2a55ff3b13b712dd52b57be0d42897645e6626efbd19efc068a8579ce5ab80b8dd20d4205534ce3efe4c98f0116d440f057854685e500b190952b2723161d584cf3e7356b3f1fe4aa0e8cd7a4df01a06f46b7cc8291ecc98c2ca3e67d9b860a2f3db5c67c089f38d89ef7a69752eb3497d2f3cd28781eaf0021a19905eb4634e692ce570292a378c8d5a4cd1e7bc0346a9659450efa0f1d2aaee2f3e3721accc9f686c65ea23a5d978e3bc895be1538fc7b0a5ea05040c810810233920099a335cfbf3fd7e774a25b57d894ad5a1fa114488d28f0d5c6594df37a38d8caa3b10fce52d0493281b54a997913c283291e2b5557660d3d08cdeab1823014ea3e2100a507fe3dff767629557c542ab6f4855deb9f9cfa4928df31169325ad9072c203f0be5340de4617c6e4ecb7f14b380d3a1bab09d5855cfabe32c1da124e90520adb1a392e706995e36488ff2056f788353f5d91d2f463d2eea440399e5874fcfe2e3d3f387a7f7444b3e00c826d12772c91b3c71e6b380ca591dc42f69a2b16bd13a2f0229a8695b43cdc62dfd2fa0f588bf0fe157f3dfa1d42274743cc092ab45355d958cf3299f5765b95cf1199fcd1956e5ac5d94b89ce374a95bd8efff00
2	block 3d0f95bca451c88b	1791244800000000	\\xdd554d8fd33010fd2bab39a74b9c7e6d7366c50909ad382010b226f6a4b548ece28f45a5ea7f67e256a25b4abbd27200a25c92799999bcf766bc05a3a1be1365be0a889b35410da8a271f6f66ba244b764237928c09322f3485a6264485556b351b91889c97b51d6e5707f6450f466b964780d3df925dde41437664861b1cb59d62e98e8fc26d7e969e47c63e2ab0eadce65d6a9eba427fe30701d51408381f8453be4446339874b51b97e68d4528a3ee7ed29a2c688506fa1f168d5ea273e37212de64f34b598bac869d6de386fe246fad4d1216cb97a0181426002e4400e204373864b7fbedb6d8fa9e4b6cf51a956a4be041922faa1818b8c8aff9bd106a35aed09fef01c82599435a9d461640fca4ca47c6a952dd8d43783f71665c9021c47e53e14a0fe243eef4ec4aa2e8a45565f91aa7ab1f97be7ece8ef9e8013bdb0713e128f478b5da002f2b3544ef354ee67e8eac8fc41450b389eacdfac28518ff38a3a4059d7f3c0839ca72e199f774947f848d70cf2e259fe070ca287959d7834b307e0dd837c7bfff0e6fe3573938f02f64af489adf20c639c982d90725607f90d4d3476295be765601935ef6da8cb615fff0a683dd1f77df8c92658116a19567c50c05ca8d9627c5795428cc5745155f33b31119369498b6ad2ce2a9a4f693cd72dec763f00
2	block 015b1ae73c86b778	1791244800000000	\\xdd92c14fc32014c6ff15c3799ba56bb7b5b7252e5e3663163de885bcc16b4bd242053a3397fdef026a5ca2593c4b38c1c7f71ebfef1d8914a45cd024ae1171871e4949803ba9d5e465c00127a81c1a32220639ca3d0a06ce4bd2249d8d93624cb3079a9449d8cf5ee48cac6b2f2f4987a6c6ab68712583858236baf4da4aa7cd21d6e970accd4ebaeb16948865faa16d9941ffd0fa3a74447660d11f54c113a4f21e7a705c77a151858333d1b74307021c90f2487606146fbef5b109a6203e1158c1d03a6fd31ba98d74076686163faf95af3e2216adf500588043c04ba3c3a59f9f4ec77394beeddf50b6087b8c102ea0ccff374a11a21d90712d4282f75bb659de3d2ed7eb27b6596d6f57379e4f9c1dcfbe82d6e21fe8872171bc89797d25c8b51296bd827452d5acd28659dea0f05193320911ff145406f1ede3fa7c0a598320986dfc6c9139e5b362ba48134aa7342fd274bea019cdf2048b34ab6629ce739cce45454ea777
2	block 57de623786b3543c	1791244800000000	\\xe5554d8fd33010fd2b2b9fd3254e3f931b522354c1a2aa2d120221cbb127ad4562077f2c2a55ff3bb65341bbac5a4e1c96289778c66f9cf7669e0f487054cc701a9f04d97d07a8409459a1e4fd37070eee415ad028411a188847e0845a9f92a5d96490e6033cdae0b448c3fbc927592db65b9f5ea016f416ee22c49d0810923611a5534658a5f7b14e0b03a52b615f3554f258a6734d4334f88dc6d7c109aaa801bf50074c2aa4c750ce32d586834a705647dc162ce5d452541c50a5a964bbdff9f11044d2b885434d5d633d4ca785d2c2ee89760d9cc2d2574f9001633c01249083a84f8d08d7fefc783c9c53e98ffd1c956c07ecab21c6521d0e709551fcb219ada865bb9ee08f7f43b017a503e61a6a7d0f924824b96c950392aead42efe569ea05388f923e6450f1197f393e112bbb2a16487e4baad97f2515ad94b6e027c36a07098a9f84291ee671f17e53ae1ecaf9e2f5a624ab72fde1dd664dd66f17cb6539ffc72a27e87cda4eb6d58ff729e0953d5b7eda15c3e7bba201fa08b71a227fd90dc1833b3b3f85bde8cb157928576fca39b9217fbc127e35ce4d4f0dd67f6112069892dc90ef545821b7a4569a182f26f7fe8d8a34f8f69f09b506f8d1872f1c61079413b3f317069a6236c987b32cc57888c779964d67788447e314f26c544f32988e6138e5353a1e7f02
2	block 2b7add40eff89933	1791244800000000	\\x6d90cb4ec33010457fa59a755aec247d246b2a5648a86281d858137bd2584aede24751a9faef382e0824c83273eec3f7025a41bbe12c7f0584f391a00594415bb3788b146931129e080a7024499f48090c092959b99ab366ceeb67cedb8ab58cbd262838bddf934bc081dc9e66d962a64d206770cc2e47eb75b0ee9c730e34b7aed3e16e44a392ae80631c47e128097dcae10574e829fde8274fd426213606690f53514331b8ec7ba0800a03427b81cea191c30f9f4b088359a2a8c7388629c969eb74380b1747fa3a9b945e8027efd300621a0730a16aea134948aba6d8a79d78dcee1eb6f7e994df99b8e0221590b1bf13b1555b7f4fd46190c3cdfa25e93d496b9417efa883367bd15b27bc1c48a552d0b2ff81de117ddccebff71203a1127e482bc09acb55536d4ac679c5974d59ae37bce6f5925153d6fdaaa4f592aab5eae17afd04
2	block 0f828776b04d5dc5	1791244800000000	\\xdd92316fc3201085ff4ac4eca4e0d871ec39d9dbaa59ba2002671b09830b38551af9bf1748a5466a95ee454cf078777cef2e480ad46c094e2b43fe3c026a10e35e1abd7a9b608215680f1665c80207790241990f921ce79b25ae97a47821b8c171bf0691b7b2eb82bc4103d80e16c96221a385662ab98cc6496fec39d5196069ec51fa07c5b44865c649296a213c74a10ec9d0913908076df46452070f33796e86d8a886c9dbe43b80678279869a0b3a5aa679ffad4f4d50cdd213012d9b940f36a395c64a7fa67652f075ad43f50c39702e00a011cef52459dcfbfa3c5f6e5986be7f63a9809d2051b8c3b2fce72c450c7702ca8d88193e3ed3ddfee9b03fec77814c1a9b80bd65ca4186fee41ee7c3f3fe262a07dc68e1e83b935eea8eb6c652c77b102165d4e098ee4f416b013eaed7b703487b6082ba3e8c15aa08dfd4eb6d8e095993b2cef36a4b0a529418eabc6837395425ac2bd1a279fe04
2	block 758c7ecbbf34b310	1791244800000000	\\xe5565b6fd33014fe2bd3794e479ca6b7bca1ad08040fdc262110b21cfba4b5489de2cb50a9fadf39713bd675a1ebd31e4a9497c427c7f67773d6a015146396c62b01bf5a221420a4d78db9fc1930e0251a8f1612b02851dfa2e2c253499666c35e3ae9b1fc334b8bb4bdbf5291b77a36a3f20216686778115b5ce8b6851175ecb26c9cf68d5dc57916d86b6ca9fd8b5a1815a75986bae616e94347f3b0044ae1905e546d4fa10df5688297cda25da8c1e06decbb402f94f0028a3594561839bfaf8f8be046c44f145622d49eda2cad6eacf62b6e438dbb6143b327e0d0390280b7e06cdfc416c7b6bed9acf7b1a475776129e7287f38eebcb0ed0a8e42cace165210b4f75278398f08c3177a7c126062658932d4c293087904923fd4ca1a4c5894adf826694a04ec8ff2ed9083e21bfbbe39202b3b4a161af50455d100e7a9fe2eaa44d9588f640d6f0326101fb96c546bc8abd7d3abb79ff8ab976fde4daf9f99d604f6edf58fa0ba73d5ae94c8ed2edc717a28957eb7546a14b778824a86e7a9926d46aa36b40379b35b0af14020d554a276249b130c7f10110e656394e3bf84f6dacc78d558ee884745f10d45dac6f6e382ca22fede0e3fc883390ac5dd9cce0b1831399cf4c759ca589f0d2659361ab39ce5831427595e0d331c0db03f52151cc446dead8553cecbfef99e97501eb5fd6ee707500ebaa13cc5563941f93fd9eafd477e3dfd7033bd89f97ab2a9fe2aeede5477ff3a8f4df3ccaefa03
2	block d32627f12fe71377	1791244800000000	\\xdd575d6fd33014fd2b939fd391a4edd8f286c61008dee009842cc7b9692d5c3bf8035155fbef5c3bdd48a7aa0b2290a87d6aeceb6bdf73ee894f764454a4b8ced2f84b88db36400ac2b8135a5d7ef7e0e1b2648eaf69292cc4516a1d338e24c40007f1032aca1c2ec9d3fc6a96deccb2c5a72c2db2ac48d3cf18e48c58adc060c006cc0a2e62ca0ba11c18c564ccd2682b9c36dbb8ef0666da94c2bd904c55b82e218d97921ac08516f7c91252320b3850879c4c280cd1de71bd090757e09d897937e058c51c23c58e948629befe1d1f0f41158b4b2aa89997a1a0c6086d84db52e325eca715ee8e5b3e165f41e330539a100bd62248340048182e6f710a8fed22ccb51258246d271a4395df94602c29be6449fef5fe7ed7451f2beb833ea80af73a857d7e5ed8732f9118476bedb1f4c2190f0912ff93d64c486f422b582d7d6858fccbf81a30aa66d262d8d01ce5fd381a552178c6292aa4fc7b85ccfba13fa242c6c17e30850cc0d1a21f47a32a04fb688a0ae17fa89079b2787a872cfba13fa242c6c17e30850cc0d1d5718ef0dee2df6c2f7395a7ffc85c61fb8c208c834b1a8e8820dab5a336337d40c236801c33877e944624e9a16ddc91d67b91026bec4e753cd912d57468c95e9ea4ea7915cd1f8e37b40b9e2851acd4c605fbd59ab4f848b9ae8233bf7d7b77fbfe237df3eadd87bbd748f27f2335215d69ed3f575a87be9f40223bc34f9be0fa6413f4b9c89667dc06f594f47a7392aae7f41a3e9bcef7c57a8ca847bdee3f97ba826d15326595fe02
2	block aec56171cc4b43cf	1791244800000000	\\xdd923f6fc23010c5bf0af21c681cfe8464a314c1c48098ba58877d492c2536b51d2a8af8eeb5dd56456a853ad7f2643fbf3bffde5d8814a49cd334ae84b8f3114949803ba9d5e8a5c71e47a81c1a9210831ce5090503e725599acd866931a4933d4dcb34ec672f7246d6b59797a44353e3205a0c64b050d04697a3b6d269738e753a1c6a7390eea10525629963dfb6cca07f687d1d9a900358f40755f004a9bc87ee1dd75d685461ef4cf4edd0810007a4bc908301c59b6f7d6c8229884f0456d0b7cedb1c8dd446ba33337d8b9fd7ca574f88456b3d0016e010f0d2e870efe7d7ebe516a56ffb37942dc20923843b28a7ff1ba508d1f6c8b81621c1fd62b75eedd9e36eb15d6ed872b3d8ae574f1e511c1f8fbf82d6e21f020873e2781323fb0a916b252c7b05e9a4aa59a50db3bc41e1d326651a52fe29a80ce2dbc7f5ed20b2064130dbf8f12239e5b3623ccf524ac7745a64593ea7133a99a65864936a96613ec5712e2a72bdbe03
2	block 4b8f10621d0a00eb	1791244800000000	\\xe5554d8fd33010fd2b2b9fd3254e3f93db1ee08484041c100859137bd2582476f1c7a252f5bf3376bbdaee52b59c38ec4651a478c66f9cf7665e764c2bd6ac7899af8285ed0659c340066dcdedcf88116fd10474ac600e25ea7b540202a55465b59894f584cf3ef3b229d3fd959282d3eb35a5376c44b7c69b0c71a313848121a36cacd7c1ba6dae33e2c4ba568737031895cb6ce2300887b4d1531d5eb0163cd2429730411bc2b031483ba6831a8cc165dc11032808c09a1d6b1d18d93fe6e7430803798bc20ee2100866e3b4753a6c858b031ec386aa17cca3f7448048e430a0d48c70e9cbf7fbdd299574ec7354ca1ee50f2f7c00970e709151feb2196d21c8fe40f0977f219844d9a08c0304ea419189144f5b65c74c1cdbd47b75599200a751710879d67ce3dff7cfc4aa2e8a85465d936afaaaa482d6ba803419c1452c587e15d2aa348f9f3ebcbffb28ded1e3ed7f16b560a7c37574a9c3341f0324e4c9f2f326989e6f8201e11eafe93f7fd9faab64c69186ee9cc6d9e6a9193a183c75c355a34c7efe30f90f662bad515efc021db4598bce3ae1493345aecc9a32b9f1df099d43fc7d083f99f31e4109dfd36f802db95cd4d35555723ee5f3baaa962b3ee3b379897535eb16152ee7385daa8eedf77f00
3	8457eecab4010877	1791244800000000	\\x7b22616374696f6e223a2022656e717565756564222c20226e756d626572223a20312c202270756c6c5f72657175657374223a207b226e756d626572223a20312c20227469746c65223a20224368616e67652031222c202275736572223a207b226c6f67696e223a2022696e6573227d2c20227374617465223a20226f70656e222c20226d6572676564223a2066616c73652c2022757064617465645f6174223a2022323032362d30392d31345431303a30303a30305a222c202262617365223a207b22726566223a20226d61696e227d2c202268656164223a207b22736861223a202237316336393338323031313331353932323738313431343530653932346636326537356533376466227d7d2c20227265706f7369746f7279223a207b226964223a203730303130302c202266756c6c5f6e616d65223a202261636d652d6f726269742f6c616e646572222c202264656661756c745f6272616e6368223a20226d61696e227d2c202273656e646572223a207b226c6f67696e223a2022696e6573222c202274797065223a202255736572227d7d
3	a853af9daa2f843e	1791244800000000	\\x7b22616374696f6e223a2022636865636b735f726571756573746564222c20226d657267655f67726f7570223a207b22686561645f736861223a202266653035626364636463343932383031323738316135663161326137376362623533393865313036222c2022686561645f726566223a2022726566732f68656164732f67682d726561646f6e6c792d71756575652f6d61696e2f70722d312d31343035646636366362653231396230626636333535626333643630333631613833373662366234222c2022626173655f736861223a202231343035646636366362653231396230626636333535626333643630333631613833373662366234222c2022626173655f726566223a2022726566732f68656164732f6d61696e222c2022686561645f636f6d6d6974223a207b226964223a202266653035626364636463343932383031323738316135663161326137376362623533393865313036222c202274696d657374616d70223a2022323032362d30392d31345431303a30313a30305a227d7d2c20227265706f7369746f7279223a207b226964223a203730303130302c202266756c6c5f6e616d65223a202261636d652d6f726269742f6c616e646572222c202264656661756c745f6272616e6368223a20226d61696e227d2c202273656e646572223a207b226c6f67696e223a20226769746875622d6d657267652d71756575655b626f745d222c202274797065223a202255736572227d7d
\.


--
-- Data for Name: events; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.events (repository_id, number, key_high, key_low, group_id, stay, run, batch_size, id, type, happened_at, source, session_id, pull_request, batch_id, attempt, batch_pull_requests, reason, outcome, schedule_wait, freeze_wait, depth, culprit_found, max_failures_reached, thread, head_sha) FROM stdin;
1	1	-2613095318637169739	4075086770918103553	1	1	\N	\N	demo-bedb3a-00000001	queue_entered	1791162008766493	demo	stay-bedb3a-2201-1	2201	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	363dea874ed7138a34e4f0c80a6466939b4b7601
1	2	2937985579674124135	-8019282160429797874	1	2	\N	\N	demo-bedb3a-00000002	queue_entered	1791162020824224	demo	stay-bedb3a-2202-1	2202	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2106055e788d880743f226f69280728abd19a35e
1	3	-8799356150235751120	6843751887544156614	1	1	3	2	demo-bedb3a-00000003	checks_started	1791162021219638	demo	stay-bedb3a-2201-1	2201	website-bedb3a-00001	1	2201,2202	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	4	6152967513523894346	-8017664542969193597	1	2	3	2	demo-bedb3a-00000004	checks_started	1791162021430679	demo	stay-bedb3a-2202-1	2202	website-bedb3a-00001	1	2201,2202	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	5	-1947340601494163506	4109527891171763352	1	4	\N	\N	demo-bedb3a-00000005	queue_entered	1791162032227769	demo	stay-bedb3a-2203-1	2203	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	f941dff7a7196388b8986964cb7ea8dcdc6c78ef
1	6	-8518322254363728017	-5963582664849291871	1	5	\N	\N	demo-bedb3a-00000006	queue_entered	1791162034804603	demo	stay-bedb3a-2204-1	2204	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	0bb606acb5c38cb81251e770056f70634fc6cef9
1	7	1126104020250221712	-132482272895297861	1	4	6	2	demo-bedb3a-00000007	checks_started	1791162035647856	demo	stay-bedb3a-2203-1	2203	website-bedb3a-00002	1	2203,2204	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	8	8414994184787679437	618257560763484948	1	5	6	2	demo-bedb3a-00000008	checks_started	1791162036675716	demo	stay-bedb3a-2204-1	2204	website-bedb3a-00002	1	2203,2204	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	9	-308875163117788268	439023011056272512	1	7	\N	\N	demo-bedb3a-00000009	queue_entered	1791162036827318	demo	stay-bedb3a-2205-1	2205	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	bb678fef2b1201956022a558a50455991386a0ac
1	10	-7874106809981378397	-9015558502547041224	1	8	\N	\N	demo-bedb3a-00000010	queue_entered	1791162040061614	demo	stay-bedb3a-2206-1	2206	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	3543e1061090b0719a6c0f1bbad1a3e942fc5daa
1	11	-3062819227602348628	-2017375265855693558	1	7	9	2	demo-bedb3a-00000011	checks_started	1791162040422797	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	1	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	12	4293319141789775906	-5038618734701069262	1	8	9	2	demo-bedb3a-00000012	checks_started	1791162041455915	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	1	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	13	5681728371254864658	-2896462935246151293	1	7	9	\N	demo-bedb3a-00000013	checks_ended	1791162509044417	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	14	131895851484036168	-4947969559432012433	1	8	9	\N	demo-bedb3a-00000014	checks_ended	1791162509225168	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	15	1376264528724215127	-938200218019442084	1	7	10	2	demo-bedb3a-00000015	checks_started	1791162509797584	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	2	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	16	4029346432644911565	-1143554543600899242	1	8	10	2	demo-bedb3a-00000016	checks_started	1791162510951683	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	2	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	17	9173528766251347071	-6776030819170693169	1	4	6	\N	demo-bedb3a-00000017	checks_ended	1791162511504816	demo	stay-bedb3a-2203-1	2203	website-bedb3a-00002	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	18	7563071074818784493	8313411884285507246	1	5	6	\N	demo-bedb3a-00000018	checks_ended	1791162511652631	demo	stay-bedb3a-2204-1	2204	website-bedb3a-00002	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	19	3090460146044363805	-4434522301553792564	1	1	3	\N	demo-bedb3a-00000019	checks_ended	1791162511803558	demo	stay-bedb3a-2201-1	2201	website-bedb3a-00001	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N	\N
1	20	-726351468960635883	-8012147062502401207	1	2	3	\N	demo-bedb3a-00000020	checks_ended	1791162511944358	demo	stay-bedb3a-2202-1	2202	website-bedb3a-00001	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N	\N
1	21	-4406038946515286344	-6089094898609791836	1	1	\N	\N	demo-bedb3a-00000021	queue_left	1791162512594498	demo	stay-bedb3a-2201-1	2201	website-bedb3a-00001	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N	363dea874ed7138a34e4f0c80a6466939b4b7601
1	22	6081978463380379471	-7601018783440201394	1	2	\N	\N	demo-bedb3a-00000022	queue_left	1791162514901352	demo	stay-bedb3a-2202-1	2202	website-bedb3a-00001	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N	2106055e788d880743f226f69280728abd19a35e
1	23	-4833761105818842595	-5118996150345767628	1	4	\N	\N	demo-bedb3a-00000023	queue_left	1791162515706257	demo	stay-bedb3a-2203-1	2203	website-bedb3a-00002	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	f941dff7a7196388b8986964cb7ea8dcdc6c78ef
1	24	-8858422906738165090	-1089719222308934037	1	5	\N	\N	demo-bedb3a-00000024	queue_left	1791162517937354	demo	stay-bedb3a-2204-1	2204	website-bedb3a-00002	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	0bb606acb5c38cb81251e770056f70634fc6cef9
1	25	-8187466916238054653	7143490576972176708	1	7	10	\N	demo-bedb3a-00000025	checks_ended	1791162746219391	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N	\N
1	26	-117516267680013469	5707756324700550071	1	8	10	\N	demo-bedb3a-00000026	checks_ended	1791162746403726	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N	\N
1	27	1899188054366430050	-62688284594475630	1	\N	11	2	demo-bedb3a-00000027	bisection_started	1791162746586680	demo	\N	\N	website-bedb3a-00003	\N	2205,2206	\N	\N	\N	\N	0	\N	\N	\N	\N
1	28	1919112232148869653	2931516961936108976	1	7	12	1	demo-bedb3a-00000028	checks_started	1791162747269481	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00004	1	2205	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	29	-3352571097360601536	-8408980375533188696	1	8	13	1	demo-bedb3a-00000029	checks_started	1791162748092981	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	1	2206	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	30	4067674935426182038	943955956792219821	1	8	13	\N	demo-bedb3a-00000030	checks_ended	1791163270031995	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	31	-2037999245467357168	-5875758246577144618	1	8	14	1	demo-bedb3a-00000031	checks_started	1791163270659888	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	2	2206	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	32	-4316148533764111382	-5265005725527646784	1	7	12	\N	demo-bedb3a-00000032	checks_ended	1791163298806586	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00004	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	33	-4770572774520796554	334086092765155158	1	7	\N	\N	demo-bedb3a-00000033	queue_left	1791163299771739	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00004	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	bb678fef2b1201956022a558a50455991386a0ac
1	34	-7602683201945571754	5974580794183869945	1	8	14	\N	demo-bedb3a-00000034	checks_ended	1791163501893706	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N	\N
1	35	-1499696443874503037	-1881249063160778697	1	8	\N	\N	demo-bedb3a-00000035	queue_left	1791163504036548	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	\N	\N	CHECKS_FAILED	\N	0	0	\N	\N	\N	\N	3543e1061090b0719a6c0f1bbad1a3e942fc5daa
1	36	4082055546866936736	7506746347575528676	1	\N	11	\N	demo-bedb3a-00000036	bisection_ended	1791163504054815	demo	\N	\N	website-bedb3a-00003	\N	\N	\N	\N	\N	\N	\N	t	f	\N	\N
1	37	-3001409903607282634	-1272009557978100654	2	15	\N	\N	demo-bedb3a-00000037	queue_entered	1791176486621905	demo	stay-bedb3a-2207-1	2207	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	fda67014e5863af28b63e5ba101a2be1d5a479ac
1	38	7844970074456124029	6367387140233607599	2	16	\N	\N	demo-bedb3a-00000038	queue_entered	1791176496219682	demo	stay-bedb3a-2208-1	2208	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	239c6e4f254ecb28da9f353568ab5b6f9c1fede0
1	39	-5611308335570647542	3949281552669964694	2	17	\N	\N	demo-bedb3a-00000039	queue_entered	1791176592137955	demo	stay-bedb3a-2209-1	2209	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	5c03bacd9eb039b51bc7791b979bbf91d9f70b08
1	40	-1571507947813627768	-6185626100919649964	2	18	\N	\N	demo-bedb3a-00000040	queue_entered	1791176662869370	demo	stay-bedb3a-2210-1	2210	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	be4a598f6f074340d918991c8a905a8b5de19261
1	41	-3963942062214897892	-4605792591338449860	2	19	\N	\N	demo-bedb3a-00000041	queue_entered	1791176673425593	demo	stay-bedb3a-2211-1	2211	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	276afe776ef66480b2e86ecdeaad96ede6fb8733
1	42	6064855611278256332	8107132519061635074	2	20	\N	\N	demo-bedb3a-00000042	queue_entered	1791176678153558	demo	stay-bedb3a-2212-1	2212	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	d9e6103fd81995a30cc51ce54799838178f3e998
1	43	-4722457951018577286	-1120193244304525802	3	21	\N	\N	demo-bedb3a-00000043	queue_entered	1791179772000853	demo	stay-bedb3a-2213-1	2213	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2147b6eb9ca41347510b9ec5e5aafab64c036160
1	44	5467819231135291506	-852267777528777050	2	15	22	4	demo-bedb3a-00000044	checks_started	1791180000597566	demo	stay-bedb3a-2207-1	2207	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	45	1510063277684072794	-6639585182274224524	2	16	22	4	demo-bedb3a-00000045	checks_started	1791180001759075	demo	stay-bedb3a-2208-1	2208	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	46	-5153264001765958018	-8964612372957164508	2	17	22	4	demo-bedb3a-00000046	checks_started	1791180002894172	demo	stay-bedb3a-2209-1	2209	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	47	241986046145275261	-7064810862803434779	2	18	22	4	demo-bedb3a-00000047	checks_started	1791180003566289	demo	stay-bedb3a-2210-1	2210	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	48	-6581901863014569032	1856183060572013654	2	19	23	2	demo-bedb3a-00000048	checks_started	1791180004744310	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	1	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	49	-3791551351256223993	-1147962157464446501	2	20	23	2	demo-bedb3a-00000049	checks_started	1791180005025663	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	1	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	50	825723678668563970	8281342245719612341	2	19	23	\N	demo-bedb3a-00000050	checks_ended	1791180511063032	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	51	1535344162191562384	-7647883811597359586	2	20	23	\N	demo-bedb3a-00000051	checks_ended	1791180511226706	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	52	-3065437507536398747	-622311372282998438	2	19	24	2	demo-bedb3a-00000052	checks_started	1791180512318365	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	2	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	53	-5405812949218347523	-7868060735405020009	2	20	24	2	demo-bedb3a-00000053	checks_started	1791180513203727	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	2	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	54	9010277960850830449	-8250565654086169812	2	19	24	\N	demo-bedb3a-00000054	checks_ended	1791181390818056	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N	\N
1	55	-2442422687057968868	335113884933212691	2	20	24	\N	demo-bedb3a-00000055	checks_ended	1791181390959344	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N	\N
1	56	-7817955406891884950	8590076443825431590	2	15	22	\N	demo-bedb3a-00000056	checks_ended	1791181744545230	demo	stay-bedb3a-2207-1	2207	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	57	1039934530484189558	2856632317191991681	2	16	22	\N	demo-bedb3a-00000057	checks_ended	1791181744583749	demo	stay-bedb3a-2208-1	2208	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	58	-1944526075820413519	-8636874310093116353	2	17	22	\N	demo-bedb3a-00000058	checks_ended	1791181744769611	demo	stay-bedb3a-2209-1	2209	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	59	8970490070245219811	8466326388233307298	2	18	22	\N	demo-bedb3a-00000059	checks_ended	1791181744860080	demo	stay-bedb3a-2210-1	2210	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	60	-6946565656340755018	-4995793406747945816	2	15	\N	\N	demo-bedb3a-00000060	queue_left	1791181746562551	demo	stay-bedb3a-2207-1	2207	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3513378095	0	\N	\N	\N	\N	fda67014e5863af28b63e5ba101a2be1d5a479ac
1	61	7890507000891164885	2781084774758269650	2	16	\N	\N	demo-bedb3a-00000061	queue_left	1791181748836311	demo	stay-bedb3a-2208-1	2208	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3503780318	0	\N	\N	\N	\N	239c6e4f254ecb28da9f353568ab5b6f9c1fede0
1	62	5533186122179012373	-5026677204316084133	2	17	\N	\N	demo-bedb3a-00000062	queue_left	1791181749891923	demo	stay-bedb3a-2209-1	2209	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3407862045	0	\N	\N	\N	\N	5c03bacd9eb039b51bc7791b979bbf91d9f70b08
1	63	-3642542115197111870	-8669402941607857197	2	18	\N	\N	demo-bedb3a-00000063	queue_left	1791181750415086	demo	stay-bedb3a-2210-1	2210	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3337130630	0	\N	\N	\N	\N	be4a598f6f074340d918991c8a905a8b5de19261
1	64	2047431550849662282	-4040235034653017560	2	\N	25	2	demo-bedb3a-00000064	bisection_started	1791181750580645	demo	\N	\N	default-bedb3a-00002	\N	2211,2212	\N	\N	\N	\N	0	\N	\N	\N	\N
1	65	-315680763046896601	7063187352291050064	2	19	26	1	demo-bedb3a-00000065	checks_started	1791181751284212	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00003	1	2211	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	66	8699252036369043828	-7945172198032315356	2	20	27	1	demo-bedb3a-00000066	checks_started	1791181751649640	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	1	2212	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	67	4242818260120090621	1854339020870133959	2	20	27	\N	demo-bedb3a-00000067	checks_ended	1791182729305377	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	68	220728682774708705	5376154396560511027	2	20	28	1	demo-bedb3a-00000068	checks_started	1791182730357864	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	2	2212	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	69	-7218026188611983473	199448102220745405	3	21	29	1	demo-bedb3a-00000069	checks_started	1791183600674224	demo	stay-bedb3a-2213-1	2213	release-bedb3a-00001	1	2213	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	70	-5395149069228303437	-5794910799597324499	1	30	\N	\N	demo-bedb3a-00000070	queue_entered	1791183602513675	demo	stay-bedb3a-2214-1	2214	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	f90577161d4c87eac807400599103c70cacb6bae
1	71	-4912062836946202211	-1849782657797379181	1	31	\N	\N	demo-bedb3a-00000071	queue_entered	1791183624716958	demo	stay-bedb3a-2215-1	2215	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	98810f18320f07e40906d86eef238b4041489d96
1	72	2727057746179653684	589134340494201009	1	30	32	2	demo-bedb3a-00000072	checks_started	1791183624968078	demo	stay-bedb3a-2214-1	2214	website-bedb3a-00006	1	2214,2215	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	73	5983432213186723964	7581692274509355618	1	31	32	2	demo-bedb3a-00000073	checks_started	1791183625985950	demo	stay-bedb3a-2215-1	2215	website-bedb3a-00006	1	2214,2215	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	74	-4844907695046469544	-3394782666342494792	1	33	\N	\N	demo-bedb3a-00000074	queue_entered	1791183633962951	demo	stay-bedb3a-2216-1	2216	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	e0930baa4cffc300fe2e57f50ac46250b4306313
1	75	918220184672183168	-1825568757809246979	1	34	\N	\N	demo-bedb3a-00000075	queue_entered	1791183647900479	demo	stay-bedb3a-2217-1	2217	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	e51d079e2a7a98ee889cceff8bddb773adf4c961
1	76	1747903247258743809	-1612511357824179407	1	33	35	2	demo-bedb3a-00000076	checks_started	1791183648179687	demo	stay-bedb3a-2216-1	2216	website-bedb3a-00007	1	2216,2217	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	77	7162551433602732325	7205089572363012014	1	34	35	2	demo-bedb3a-00000077	checks_started	1791183648440838	demo	stay-bedb3a-2217-1	2217	website-bedb3a-00007	1	2216,2217	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	78	-8479987812162351073	-3214273047625712162	1	36	\N	\N	demo-bedb3a-00000078	queue_entered	1791183663502982	demo	stay-bedb3a-2218-1	2218	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	4244ccae6c367bd64a41d41ab72925e329434ad8
1	79	-2209501933994999847	-9140408324289405354	1	37	\N	\N	demo-bedb3a-00000079	queue_entered	1791183671071279	demo	stay-bedb3a-2219-1	2219	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	7132e3cbe42fea3bf64a37b10c2b01fce185ae3e
1	80	7163835728205125843	-7282454076471080452	1	36	38	2	demo-bedb3a-00000080	checks_started	1791183671669032	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	1	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	81	2285820873129733653	-3958897977837861727	1	37	38	2	demo-bedb3a-00000081	checks_started	1791183671963959	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	1	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	82	6381929236797496390	5468517585914106312	2	19	26	\N	demo-bedb3a-00000082	checks_ended	1791184024372379	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00003	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	83	3612892445686624247	-3916907726790090831	2	19	\N	\N	demo-bedb3a-00000083	queue_left	1791184026538981	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00003	\N	\N	PR_MERGED	\N	3326574407	0	\N	\N	\N	\N	276afe776ef66480b2e86ecdeaad96ede6fb8733
1	84	-4945397603018951077	5487587105465376713	1	36	38	\N	demo-bedb3a-00000084	checks_ended	1791184094140055	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	85	-8392215221931534766	-8868817479712213675	1	37	38	\N	demo-bedb3a-00000085	checks_ended	1791184094319124	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N	\N
1	86	-5921608465068134071	6939022078653855430	1	36	39	2	demo-bedb3a-00000086	checks_started	1791184095468079	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	2	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	87	4605382569514937324	7806468506936523298	1	37	39	2	demo-bedb3a-00000087	checks_started	1791184095970390	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	2	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	88	8173319543826791302	8008475814936570482	1	33	35	\N	demo-bedb3a-00000088	checks_ended	1791184123465886	demo	stay-bedb3a-2216-1	2216	website-bedb3a-00007	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	89	-7975987274774324724	1682525286627613326	1	34	35	\N	demo-bedb3a-00000089	checks_ended	1791184123478182	demo	stay-bedb3a-2217-1	2217	website-bedb3a-00007	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	90	-2905025446787387051	-2393656703819239902	1	30	32	\N	demo-bedb3a-00000090	checks_ended	1791184123607772	demo	stay-bedb3a-2214-1	2214	website-bedb3a-00006	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N	\N
1	91	6296921365919607107	-1719084649185670597	1	31	32	\N	demo-bedb3a-00000091	checks_ended	1791184123714040	demo	stay-bedb3a-2215-1	2215	website-bedb3a-00006	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N	\N
1	92	-2625960959845094452	2138226688618438869	1	30	\N	\N	demo-bedb3a-00000092	queue_left	1791184125160775	demo	stay-bedb3a-2214-1	2214	website-bedb3a-00006	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N	f90577161d4c87eac807400599103c70cacb6bae
1	93	-2605243163474042269	7566234516186919541	1	31	\N	\N	demo-bedb3a-00000093	queue_left	1791184126197662	demo	stay-bedb3a-2215-1	2215	website-bedb3a-00006	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N	98810f18320f07e40906d86eef238b4041489d96
1	94	-8638379959991413909	-1414573054187956980	1	33	\N	\N	demo-bedb3a-00000094	queue_left	1791184127731172	demo	stay-bedb3a-2216-1	2216	website-bedb3a-00007	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	e0930baa4cffc300fe2e57f50ac46250b4306313
1	95	987183740827605301	-8947502113928170069	1	34	\N	\N	demo-bedb3a-00000095	queue_left	1791184128166883	demo	stay-bedb3a-2217-1	2217	website-bedb3a-00007	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	e51d079e2a7a98ee889cceff8bddb773adf4c961
1	96	-297712738540288779	8116856092271541345	1	36	39	\N	demo-bedb3a-00000096	checks_ended	1791184714415715	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	2	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	97	-6645214328855517079	2334259966632769901	1	37	39	\N	demo-bedb3a-00000097	checks_ended	1791184714576035	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	2	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	98	-3560255896452324390	-1341833225744654110	1	36	\N	\N	demo-bedb3a-00000098	queue_left	1791184715479267	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	4244ccae6c367bd64a41d41ab72925e329434ad8
1	99	8482620329766483603	-464452984285156694	1	37	\N	\N	demo-bedb3a-00000099	queue_left	1791184716651499	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	7132e3cbe42fea3bf64a37b10c2b01fce185ae3e
1	100	-2474632530774023257	-6444539567417448058	2	20	28	\N	demo-bedb3a-00000100	checks_ended	1791184819466183	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N	\N
1	101	8008747205125185331	-1913299134278321752	2	20	\N	\N	demo-bedb3a-00000101	queue_left	1791184820788474	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	\N	\N	CHECKS_FAILED	\N	3321846442	0	\N	\N	\N	\N	d9e6103fd81995a30cc51ce54799838178f3e998
1	102	-5005212698806719026	-3685386181261893551	2	\N	25	\N	demo-bedb3a-00000102	bisection_ended	1791184820938608	demo	\N	\N	default-bedb3a-00002	\N	\N	\N	\N	\N	\N	\N	t	f	\N	\N
1	103	3787124001292517657	-1937915150466185922	3	21	29	\N	demo-bedb3a-00000103	checks_ended	1791186893869884	demo	stay-bedb3a-2213-1	2213	release-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	104	5393703143018986764	741721687941924404	3	21	\N	\N	demo-bedb3a-00000104	queue_left	1791186895608915	demo	stay-bedb3a-2213-1	2213	release-bedb3a-00001	\N	\N	PR_MERGED	\N	0	3827999147	\N	\N	\N	\N	2147b6eb9ca41347510b9ec5e5aafab64c036160
1	105	5439569335515950503	-9219044975475687306	4	40	\N	\N	demo-bedb3a-00000105	queue_entered	1791187255582807	demo	stay-bedb3a-2220-1	2220	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	02610d1b7bda8b0a668b54e607638d9c049e9f7b
1	106	104074762398114803	-7756154691578634654	4	40	41	1	demo-bedb3a-00000106	checks_started	1791187555832967	demo	stay-bedb3a-2220-1	2220	default-bedb3a-00005	1	2220	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	107	-4387440399614689987	-3027182834818283657	4	42	\N	\N	demo-bedb3a-00000107	queue_entered	1791187911799319	demo	stay-bedb3a-2221-1	2221	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	dcdd13d40846cd2f694caf8d1bf40bdd18aad263
1	108	-4918145011694965878	-6853184784061580680	4	42	43	1	demo-bedb3a-00000108	checks_started	1791188212467782	demo	stay-bedb3a-2221-1	2221	default-bedb3a-00006	1	2221	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	109	5182563684833666949	-1152847076726309907	4	44	\N	\N	demo-bedb3a-00000109	queue_entered	1791188881361463	demo	stay-bedb3a-2222-1	2222	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	6fa1a1ee23deb3812cd09ce6c24bbdcece10cee7
1	110	1729389095792438664	1216968778197581964	4	40	41	\N	demo-bedb3a-00000110	checks_ended	1791188906359314	demo	stay-bedb3a-2220-1	2220	default-bedb3a-00005	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	111	4541365001113875268	-8563590207174922814	4	40	\N	\N	demo-bedb3a-00000111	queue_left	1791188908156053	demo	stay-bedb3a-2220-1	2220	default-bedb3a-00005	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	02610d1b7bda8b0a668b54e607638d9c049e9f7b
1	112	-2222894185677536870	6867486088328940714	4	45	\N	\N	demo-bedb3a-00000112	queue_entered	1791189021259954	demo	stay-bedb3a-2223-1	2223	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	b034b24d2f7f614c5b48fddb49926d69bf7b74a1
1	113	-1090317113960701072	5716963839749207777	4	46	\N	\N	demo-bedb3a-00000113	queue_entered	1791189101223462	demo	stay-bedb3a-2224-1	2224	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	5a59685bd03f7a043a94d7336b31adcaa4f5680b
1	114	482398546176960795	-929154693743376384	4	44	47	3	demo-bedb3a-00000114	checks_started	1791189182389641	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00007	1	2222,2223,2224	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	115	-3226165695868232383	8073428732372727274	4	45	47	3	demo-bedb3a-00000115	checks_started	1791189182995351	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00007	1	2222,2223,2224	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	116	4434081685765899353	6342158496525520671	4	46	47	3	demo-bedb3a-00000116	checks_started	1791189183412435	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00007	1	2222,2223,2224	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	117	2469522733279656613	-8191959614031466799	4	48	\N	\N	demo-bedb3a-00000117	queue_entered	1791189678462527	demo	stay-bedb3a-2225-1	2225	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	24f0f19642508cd67ca8fb6bb38cff3deaec1ee3
1	118	2652582298388045328	-3619085584762764464	4	49	\N	\N	demo-bedb3a-00000118	queue_entered	1791189694149034	demo	stay-bedb3a-2226-1	2226	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	3e377d19276311dfb610ec388bf5e980d9652d7c
1	119	5427476430712403428	-6863805514283984054	5	50	\N	\N	demo-bedb3a-00000119	queue_entered	1791189908643290	demo	stay-bedb3a-2227-1	2227	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	cb210f29a7cc4c0e7d30c43b5dbe05ec2f1879ca
1	120	7593231519859717956	1595651788644051932	4	44	47	\N	demo-bedb3a-00000120	checks_ended	1791189908829315	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00007	1	\N	\N	PR_WITH_HIGHER_PRIORITY_QUEUED	\N	\N	\N	\N	\N	\N	\N
1	121	8786077973685008935	-3135692665829579746	4	45	47	\N	demo-bedb3a-00000121	checks_ended	1791189908917884	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00007	1	\N	\N	PR_WITH_HIGHER_PRIORITY_QUEUED	\N	\N	\N	\N	\N	\N	\N
1	122	1899982081711592708	8967213169521961366	4	46	47	\N	demo-bedb3a-00000122	checks_ended	1791189908959728	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00007	1	\N	\N	PR_WITH_HIGHER_PRIORITY_QUEUED	\N	\N	\N	\N	\N	\N	\N
1	123	4016700778654209308	-4093147061743508711	5	50	51	1	demo-bedb3a-00000123	checks_started	1791189910117321	demo	stay-bedb3a-2227-1	2227	default-bedb3a-00008	1	2227	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	124	6649136476968230000	-2900342027127567698	4	44	52	4	demo-bedb3a-00000124	checks_started	1791189910393116	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	125	-6940946452193852417	-2847991391181071075	4	45	52	4	demo-bedb3a-00000125	checks_started	1791189911039744	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	126	-2414455779532534134	-144206523282342799	4	46	52	4	demo-bedb3a-00000126	checks_started	1791189911537050	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	127	5731687569167695313	7420926855809953019	4	48	52	4	demo-bedb3a-00000127	checks_started	1791189912489446	demo	stay-bedb3a-2225-1	2225	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	128	1694863214208091811	6063387058533863527	4	42	43	\N	demo-bedb3a-00000128	checks_ended	1791189919495201	demo	stay-bedb3a-2221-1	2221	default-bedb3a-00006	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	129	-7720997460948910572	-9164384731408550998	4	42	\N	\N	demo-bedb3a-00000129	queue_left	1791189921269107	demo	stay-bedb3a-2221-1	2221	default-bedb3a-00006	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	dcdd13d40846cd2f694caf8d1bf40bdd18aad263
1	130	851850566409158272	8886239222965199839	4	49	53	1	demo-bedb3a-00000130	checks_started	1791189994472032	demo	stay-bedb3a-2226-1	2226	default-bedb3a-00010	1	2226	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	131	4232996813998223566	-5479810885456054975	4	54	\N	\N	demo-bedb3a-00000131	queue_entered	1791190169199401	demo	stay-bedb3a-2228-1	2228	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	fce72b41def5c961fcf83c45ac91ef748905d9af
1	132	4462896794226452936	1462346817479323237	4	55	\N	\N	demo-bedb3a-00000132	queue_entered	1791190702295337	demo	stay-bedb3a-2229-1	2229	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	656e68ba274c7ce4648afc6e7c3e7b3d9c9ca38d
1	133	-1161736133568802922	4541428952621992022	5	50	51	\N	demo-bedb3a-00000133	checks_ended	1791190944626399	demo	stay-bedb3a-2227-1	2227	default-bedb3a-00008	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	134	-5149348988815632511	-3507796985362541389	5	50	\N	\N	demo-bedb3a-00000134	queue_left	1791190946785763	demo	stay-bedb3a-2227-1	2227	default-bedb3a-00008	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	cb210f29a7cc4c0e7d30c43b5dbe05ec2f1879ca
1	135	4474337841034954781	2930375170058233431	4	54	56	2	demo-bedb3a-00000135	checks_started	1791190947232524	demo	stay-bedb3a-2228-1	2228	default-bedb3a-00011	1	2228,2229	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	136	6756016553038242463	-4448693456113308699	4	55	56	2	demo-bedb3a-00000136	checks_started	1791190948426324	demo	stay-bedb3a-2229-1	2229	default-bedb3a-00011	1	2228,2229	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	137	-3998894841599644781	-5657745113521418315	4	44	52	\N	demo-bedb3a-00000137	checks_ended	1791191348463368	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	138	-1794942184732624254	-2893466993013254939	4	45	52	\N	demo-bedb3a-00000138	checks_ended	1791191348632574	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	139	2622774549342179211	8151938623233588862	4	46	52	\N	demo-bedb3a-00000139	checks_ended	1791191348677699	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	140	-7611386841187440516	3781627178661749347	4	48	52	\N	demo-bedb3a-00000140	checks_ended	1791191348778950	demo	stay-bedb3a-2225-1	2225	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N	\N
1	141	-4153264197802068591	524939770034888220	4	44	\N	\N	demo-bedb3a-00000141	queue_left	1791191351005454	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	6fa1a1ee23deb3812cd09ce6c24bbdcece10cee7
1	142	-8024169378580071111	3185908857119113490	4	45	\N	\N	demo-bedb3a-00000142	queue_left	1791191351659972	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	b034b24d2f7f614c5b48fddb49926d69bf7b74a1
1	143	4091472560040610914	-6234675442293480141	4	46	\N	\N	demo-bedb3a-00000143	queue_left	1791191353998562	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	5a59685bd03f7a043a94d7336b31adcaa4f5680b
1	144	2344605543006362127	8763518176652211877	4	48	\N	\N	demo-bedb3a-00000144	queue_left	1791191354957392	demo	stay-bedb3a-2225-1	2225	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N	24f0f19642508cd67ca8fb6bb38cff3deaec1ee3
1	145	-8688670379627170919	8460106097038124925	4	57	\N	\N	demo-bedb3a-00000145	queue_entered	1791192197724450	demo	stay-bedb3a-2230-1	2230	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	a93bbeb841057362783e4021b5253fcaf031ffb8
1	146	-6356171994850359951	-650847154656099372	3	58	\N	\N	demo-bedb3a-00000146	queue_entered	1791192198482447	demo	stay-bedb3a-2231-1	2231	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	5f07970f236ff4b65a9ee191df4eb355717ddba9
1	147	-1611236036602143342	-4759617328364395814	4	59	\N	\N	demo-bedb3a-00000147	queue_entered	1791192399350105	demo	stay-bedb3a-2232-1	2232	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	57128326174dae66e2c6a3483021d9a96555c0b8
1	148	-8199158879139991380	4245344480192871532	4	57	60	2	demo-bedb3a-00000148	checks_started	1791192498408194	demo	stay-bedb3a-2230-1	2230	default-bedb3a-00012	1	2230,2232	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	149	7983639446682711543	2958845222551032965	4	59	60	2	demo-bedb3a-00000149	checks_started	1791192499169323	demo	stay-bedb3a-2232-1	2232	default-bedb3a-00012	1	2230,2232	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	150	8924129675424544021	929590671498715708	3	58	61	1	demo-bedb3a-00000150	checks_started	1791192499607268	demo	stay-bedb3a-2231-1	2231	release-bedb3a-00002	1	2231	\N	\N	\N	\N	\N	\N	\N	\N	\N
2	8	-2960431936359847375	2499910012297079068	1	7	3	3	activity-log:b/X/1/started	checks_started	1789380150000000	activity-log	b	2	X	1	1,2,3	\N	\N	\N	\N	\N	\N	\N	4	\N
2	9	-436135737574583284	-8316049921709810628	1	7	3	\N	activity-log:b/X/1/ended	checks_ended	1789381200000000	activity-log	b	2	X	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	4	\N
2	11	7852795275762666798	-271856306480012584	1	8	\N	\N	activity-log:c/entered	queue_entered	1789380018000000	activity-log	c	3	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	5	\N
2	12	7159461648629437059	1156878597663628170	1	8	3	3	activity-log:c/X/1/started	checks_started	1789380150000000	activity-log	c	3	X	1	1,2,3	\N	\N	\N	\N	\N	\N	\N	5	\N
2	13	4660303127529375686	1572369912346923632	1	8	3	\N	activity-log:c/X/1/ended	checks_ended	1789381200000000	activity-log	c	3	X	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	5	\N
2	14	-5841967618989178721	-5687599059388251772	1	8	\N	\N	activity-log:c/left	queue_left	1789381260000000	activity-log	c	3	X	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	5	b57e31b5d5a0671d29bf4f413a0d6eed49a8b74e
2	33	5440631875536631787	1174924356380801507	1	7	10	1	activity-log:b/Y/1/started	checks_started	1789381860000000	activity-log	b	1	Y	1	1	\N	\N	\N	\N	\N	\N	\N	1	\N
2	34	-6982579535264446507	-1204661127943666027	1	7	10	\N	activity-log:b/Y/1/ended	checks_ended	1789382400000000	activity-log	b	1	Y	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	1	\N
2	35	1496062723914103643	-5158197259386726575	1	7	\N	\N	activity-log:b/entered	queue_entered	1789380000000000	activity-log	b	2	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	4	\N
2	46	-3763179795592429311	5831257416357418815	1	2	10	1	activity-log:a/Y/1/started	checks_started	1789380390000000	activity-log	a	1	Y	1	1	\N	\N	\N	\N	\N	\N	\N	1	\N
2	47	1533697328710593737	-1431918991794835677	1	2	10	\N	activity-log:a/Y/1/ended	checks_ended	1789381200000000	activity-log	a	1	Y	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	1	\N
2	59	-2248005066644747343	-6685718084421441839	1	2	\N	\N	activity-log:a/entered	queue_entered	1789380000000000	activity-log	a	1	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	1	\N
2	61	-4792335942122477704	-4373918051762559900	1	7	\N	\N	activity-log:b/left	queue_left	1789382406000000	activity-log	b	1	\N	\N	\N	PR_DEQUEUED	\N	0	0	\N	\N	\N	1	71c6938201131592278141450e924f62e75e37df
2	62	6103167778747285600	-2547144922465559899	1	14	\N	\N	activity-log:e/entered	queue_entered	1789380000000000	activity-log	e	5	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	13	\N
2	63	-6574779011357212448	-4479764752071433228	1	14	15	1	activity-log:e/checks on 5 in e/1/started	checks_started	1789381200000000	activity-log	e	5	checks on 5 in e	1	5	\N	\N	\N	\N	\N	\N	\N	13	\N
2	64	-6487729122464881382	8300577601652012946	1	14	15	\N	activity-log:e/checks on 5 in e/1/ended	checks_ended	1789381800000000	activity-log	e	5	checks on 5 in e	1	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	13	\N
2	65	-7487047331028491435	4976190022693267666	1	16	\N	\N	activity-log:f/entered	queue_entered	1789380000000000	activity-log	f	5	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	13	\N
2	66	6043465545713525267	8930656824484762221	1	16	17	1	activity-log:f/checks on 5 in f/1/started	checks_started	1789383000000000	activity-log	f	5	checks on 5 in f	1	5	\N	\N	\N	\N	\N	\N	\N	13	\N
2	67	1912894885564268988	2240040277490465673	1	16	17	\N	activity-log:f/checks on 5 in f/1/ended	checks_ended	1789383600000000	activity-log	f	5	checks on 5 in f	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	13	\N
2	68	-7888668418670997030	1719322408027332681	1	\N	18	2	activity-log:b/bisection/81000002/started	bisection_started	1789380660000000	activity-log	\N	\N	batch e6528479e098b973a7b62b85	\N	1,2	\N	\N	\N	\N	0	\N	\N	4	\N
2	69	2184280867372372944	4046853465252977949	1	\N	18	\N	activity-log:b/bisection/81000003/ended	bisection_ended	1789381260000000	activity-log	\N	\N	batch e6528479e098b973a7b62b85	\N	\N	\N	\N	\N	\N	\N	t	f	4	\N
2	70	-8785365727765508602	1303936340133218021	1	\N	19	2	activity-log:c/bisection/81000004/started	bisection_started	1789380660000000	activity-log	\N	\N	batch 5919b8e88941c0181a8e9d0c	\N	3,4	\N	\N	\N	\N	0	\N	\N	5	\N
2	71	-3531039370170688300	6342398857655232994	1	\N	19	\N	activity-log:c/bisection/81000005/ended	bisection_ended	1789381260000000	activity-log	\N	\N	batch 5919b8e88941c0181a8e9d0c	\N	\N	\N	\N	\N	\N	\N	t	f	5	\N
3	1	-7248722510462733671	-7352926027275753464	1	4	\N	\N	github:main#1@2026-09-14T10:00:00Z/entered	queue_entered	1789380000000000	github	github:main#1@2026-09-14T10:00:00Z	1	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	1	71c6938201131592278141450e924f62e75e37df
3	2	8633715468720045479	-4795052627108218196	1	4	5	1	github:main#1@2026-09-14T10:00:00Z/fe05bcdcdc492801/1/started	checks_started	1789380060000000	github	github:main#1@2026-09-14T10:00:00Z	1	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	1	1	\N	\N	\N	\N	\N	\N	\N	1	\N
3	3	3846089540808421955	-3116362309052474473	1	6	\N	\N	github:main#2@2026-09-14T10:00:00Z/entered	queue_entered	1789380000000000	github	github:main#2@2026-09-14T10:00:00Z	2	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2	97482077d94a5fa8753d3f9610378119902f5718
3	4	8082499315666524837	4117049978267327895	1	6	7	1	github:main#2@2026-09-14T10:00:00Z/ad782ecdac770fc6/1/started	checks_started	1789380060000000	github	github:main#2@2026-09-14T10:00:00Z	2	ad782ecdac770fc6eb9a62e44f90873fb97fb26b	1	2	\N	\N	\N	\N	\N	\N	\N	2	\N
3	6	8234842918070970473	3013429858126165283	1	4	5	\N	github:main#1@2026-09-14T10:00:00Z/fe05bcdcdc492801/1/ended	checks_ended	1789380600000000	github	github:main#1@2026-09-14T10:00:00Z	1	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	1	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	1	\N
3	7	-7363915407310593083	-3118048753448849100	1	4	\N	\N	github:main#1@2026-09-14T10:00:00Z/left	queue_left	1789380600000000	github	github:main#1@2026-09-14T10:00:00Z	1	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	\N	\N	CHECKS_FAILED	\N	0	0	\N	\N	\N	1	71c6938201131592278141450e924f62e75e37df
2	72	3721470789738003351	-376174723730970608	1	\N	18	2	activity-log:a/bisection/81000000/started	bisection_started	1789380660000000	activity-log	\N	\N	batch e6528479e098b973a7b62b85	\N	1,2	\N	\N	\N	\N	0	\N	\N	1	\N
2	75	-4548605128963634499	-7296054409658358274	1	2	\N	\N	activity-log:a/left	queue_left	1789380300000000	activity-log	a	1	\N	\N	\N	BASE_BRANCH_CHANGED	\N	0	0	\N	\N	\N	1	71c6938201131592278141450e924f62e75e37df
2	76	-4233784947019553805	3688351771423826213	1	2	3	\N	activity-log:a/X/1/ended	checks_ended	1789380180000000	activity-log	a	1	X	1	\N	\N	CHECKS_INTERRUPTED	\N	\N	\N	\N	\N	1	\N
3	16	-3100739820716565101	4446607144009355637	1	10	12	\N	github:main#3@2026-09-14T10:00:00Z/5c8e2c58bf45cdb0/1/ended	checks_ended	1789381200000000	github	github:main#3@2026-09-14T10:00:00Z	3	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	3	\N
3	17	6107792704354153219	6435006654862106588	1	10	\N	\N	github:main#3@2026-09-14T10:00:00Z/left	queue_left	1789381200000000	github	github:main#3@2026-09-14T10:00:00Z	3	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	3	b57e31b5d5a0671d29bf4f413a0d6eed49a8b74e
3	8	-8723370470605527149	-5747595531881286166	1	6	7	\N	github:main#2@2026-09-14T10:00:00Z/ad782ecdac770fc6/1/ended	checks_ended	1789380660000000	github	github:main#2@2026-09-14T10:00:00Z	2	ad782ecdac770fc6eb9a62e44f90873fb97fb26b	1	\N	\N	BATCH_AHEAD_FAILED	\N	\N	\N	\N	\N	2	\N
3	9	-448080594508445705	-1089103998654403757	1	6	9	1	github:main#2@2026-09-14T10:00:00Z/64e1c008ebdb6692/1/started	checks_started	1789380660000000	github	github:main#2@2026-09-14T10:00:00Z	2	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	1	2	\N	\N	\N	\N	\N	\N	\N	2	\N
3	10	5019087835123697206	-1049135632589980407	1	6	9	\N	github:main#2@2026-09-14T10:00:00Z/64e1c008ebdb6692/1/ended	checks_ended	1789381200000000	github	github:main#2@2026-09-14T10:00:00Z	2	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	2	\N
3	11	-5391959640296509645	4976400288365585266	1	6	\N	\N	github:main#2@2026-09-14T10:00:00Z/left	queue_left	1789381200000000	github	github:main#2@2026-09-14T10:00:00Z	2	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	2	97482077d94a5fa8753d3f9610378119902f5718
3	12	-1439383332524460463	8904492951986919565	1	10	\N	\N	github:main#3@2026-09-14T10:00:00Z/entered	queue_entered	1789380000000000	github	github:main#3@2026-09-14T10:00:00Z	3	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	3	b57e31b5d5a0671d29bf4f413a0d6eed49a8b74e
3	13	-5926528447529012802	-7718673213069406176	1	10	11	1	github:main#3@2026-09-14T10:00:00Z/b802f384302cb24f/1/started	checks_started	1789380060000000	github	github:main#3@2026-09-14T10:00:00Z	3	b802f384302cb24fbab0a44997e820bf2e8507bb	1	3	\N	\N	\N	\N	\N	\N	\N	3	\N
3	14	-4058898931794419704	4833587590481261791	1	10	11	\N	github:main#3@2026-09-14T10:00:00Z/b802f384302cb24f/1/ended	checks_ended	1789380660000000	github	github:main#3@2026-09-14T10:00:00Z	3	b802f384302cb24fbab0a44997e820bf2e8507bb	1	\N	\N	BATCH_AHEAD_FAILED	\N	\N	\N	\N	\N	3	\N
3	15	-6099307448339360755	-1286285228506449767	1	10	12	1	github:main#3@2026-09-14T10:00:00Z/5c8e2c58bf45cdb0/1/started	checks_started	1789380660000000	github	github:main#3@2026-09-14T10:00:00Z	3	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	1	3	\N	\N	\N	\N	\N	\N	\N	3	\N
\.


--
-- Data for Name: expired; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.expired (repository_id, source, kind, times) FROM stdin;
\.


--
-- Data for Name: github_apps; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.github_apps (id, slug, owner, url, sealed, has_webhook, installed, created_at) FROM stdin;
\.


--
-- Data for Name: groups; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.groups (repository_id, group_id, base_ref, queue_name, priority_rule_name) FROM stdin;
1	1	website	website	\N
1	2	main	default	low
1	3	release/2.4	release	\N
1	4	main	default	\N
1	5	main	default	urgent
2	1	main	default	\N
3	1	main	default	\N
\.


--
-- Data for Name: key_state; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_state (version) FROM stdin;
2
\.


--
-- Data for Name: leases; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.leases (name, holder, until, next_at, error) FROM stdin;
drop old deliveries	vm-7579	1795025156596609	1795107956596609	\N
removals	vm-7579	1795021562694591	\N	\N
alerts	vm-7579	1795021562706144	\N	\N
notices	vm-7579	1795021562709277	\N	\N
\.


--
-- Data for Name: looked_back; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.looked_back (repository_id, until) FROM stdin;
\.


--
-- Data for Name: notices; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.notices (id, channel_id, kind, key, phase, created_at, document, attempts, next_at) FROM stdin;
\.


--
-- Data for Name: pull_requests; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pull_requests (repository_id, number, title, author, url, known_at, "position", positioned_at) FROM stdin;
3	1	Change 1	ines		1791244800000000	\N	\N
3	2	Change 2	ines		1791244800000000	\N	\N
3	3	Change 3	ines		1791244800000000	\N	\N
\.


--
-- Data for Name: queue_counts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.queue_counts (repository_id, queue, counts) FROM stdin;
3	1	{"entered": 1}
\.


--
-- Data for Name: recommendations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.recommendations (repository_id, base_ref, computed_at, settings_version, document) FROM stdin;
\.


--
-- Data for Name: reference_periods; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.reference_periods (repository_id, name, document, hours, compared_at, comparison) FROM stdin;
\.


--
-- Data for Name: repositories; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.repositories (repository_id, owner, name, folded, platform_id, former_names) FROM stdin;
1	acme	harbor	acme/harbor	\N	\N
2	acme	log	acme/log	\N	\N
3	acme-orbit	lander	acme-orbit/lander	700100	\N
\.


--
-- Data for Name: repository_state; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.repository_state (repository_id, version, events, first_at, last_at, products, snapshots, recordings, last_event, last_subject, last_group, deliveries, last_delivery, platform_id, former_names, ci_version, ci_checks, last_ci_run, last_ci_text, kept_since, judge_from, judge_by, judging_from, verdict_version) FROM stdin;
2	44	26	1789380000000000	1789383600000000	\N	0	0	76	19	1	84	84	\N	\N	0	0	0	0	\N	1789368000000000	1791244920000000	\N	0
3	4	16	1789380000000000	1789381200000000	\N	0	0	17	12	1	15	15	700100	\N	0	0	0	0	\N	1789380000000000	1791244920000000	\N	0
1	2	150	1791162008766493	1791192499607268	merge_queue	1	1	150	61	5	0	0	\N	\N	1	0	0	0	\N	\N	\N	\N	2
\.


--
-- Data for Name: runs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.runs (repository_id, run, group_id, has_start, has_verdict, started_at, ended_at, batch_size) FROM stdin;
1	3	1	t	f	1791162021219638	1791162511944358	2
1	6	1	t	t	1791162035647856	1791162511652631	2
1	9	1	t	t	1791162040422797	1791162509225168	2
1	10	1	t	t	1791162509797584	1791162746403726	2
1	12	1	t	t	1791162747269481	1791163298806586	1
1	13	1	t	t	1791162748092981	1791163270031995	1
1	14	1	t	t	1791163270659888	1791163501893706	1
1	22	2	t	t	1791180000597566	1791181744860080	4
1	23	2	t	t	1791180004744310	1791180511226706	2
1	24	2	t	t	1791180512318365	1791181390959344	2
1	26	2	t	t	1791181751284212	1791184024372379	1
1	27	2	t	t	1791181751649640	1791182729305377	1
1	28	2	t	t	1791182730357864	1791184819466183	1
1	29	3	t	t	1791183600674224	1791186893869884	1
1	32	1	t	f	1791183624968078	1791184123714040	2
1	35	1	t	t	1791183648179687	1791184123478182	2
1	38	1	t	t	1791183671669032	1791184094319124	2
1	39	1	t	t	1791184095468079	1791184714576035	2
1	41	4	t	t	1791187555832967	1791188906359314	1
1	43	4	t	t	1791188212467782	1791189919495201	1
1	47	4	t	f	1791189182389641	1791189908959728	3
1	51	5	t	t	1791189910117321	1791190944626399	1
1	52	4	t	t	1791189910393116	1791191348778950	4
1	53	4	t	f	1791189994472032	\N	1
1	56	4	t	f	1791190947232524	\N	2
1	60	4	t	f	1791192498408194	\N	2
1	61	3	t	f	1791192499607268	\N	1
2	10	1	t	t	1789380390000000	1789382400000000	1
2	15	1	t	t	1789381200000000	1789381800000000	1
2	17	1	t	t	1789383000000000	1789383600000000	1
2	3	1	t	t	1789380150000000	1789381200000000	3
3	5	1	t	t	1789380060000000	1789380600000000	1
3	7	1	t	f	1789380060000000	1789380660000000	1
3	9	1	t	t	1789380660000000	1789381200000000	1
3	11	1	t	f	1789380060000000	1789380660000000	1
3	12	1	t	t	1789380660000000	1789381200000000	1
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migrations (number, oldest_program, program) FROM stdin;
1	1	0.1.0.dev24
2	1	0.1.0.dev24
3	1	0.1.0.dev24
4	1	0.1.0.dev24
5	1	0.1.0.dev24
6	1	0.1.0.dev24
7	1	0.1.0.dev24
8	1	0.1.0.dev24
9	1	0.1.0.dev24
10	1	0.1.0.dev24
11	1	0.1.0.dev24
12	1	0.1.0.dev24
13	1	0.1.0.dev24
14	1	0.1.0.dev24
15	1	0.1.0.dev24
16	1	0.1.0.dev24
17	1	0.1.0.dev24
18	1	0.1.0.dev24
19	1	0.1.0.dev24
20	1	0.1.0.dev24
21	21	0.1.0.dev24
22	21	0.1.0.dev24
\.


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.sessions (digest, is_code, kind, name, credential, key_id, sealed, created_at, expires_at) FROM stdin;
\.


--
-- Data for Name: skipped_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.skipped_deliveries (repository_id, source, event, action, times) FROM stdin;
2	activity-log	action.queue.change		1
\.


--
-- Data for Name: snapshots; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.snapshots (repository_id, number, is_open, document) FROM stdin;
1	12208	t	{"recorded_at":"2026-10-05T09:30:00Z","pull":{"number":12208,"title":"Assign berths by draught","body":null,"state":"open","draft":false,"locked":false,"merged":false,"mergeable":true,"merged_by":null,"merge_commit_sha":null,"user":{"login":"ada","type":"User"},"base":{"ref":"main","repo":{"id":1,"name":"harbor","full_name":"acme/harbor","default_branch":"main","owner":{"login":"acme"}}},"head":{"ref":"berths-by-draught","sha":"0000000000000000000000000000000000002fb0","repo":{"id":1,"name":"harbor","full_name":"acme/harbor","default_branch":"main","owner":{"login":"acme"}}},"milestone":null,"labels":[{"name":"ready"}],"assignees":[],"requested_reviewers":[],"requested_teams":[],"changed_files":2,"additions":24,"deletions":6,"commits":1,"created_at":"2026-10-04T03:30:00Z","updated_at":"2026-10-05T08:30:00Z","closed_at":null,"merged_at":null},"files":[{"filename":"src/harbor/berths.py","status":"modified"},{"filename":"tests/test_berths.py","status":"modified"}],"commits":[{"sha":"0000000000000000000000000000000000002fb0","commit":{"message":"Assign berths by draught","author":{"name":"ada","email":"ada@harbor.example","date":"2026-10-05T08:30:00Z"},"committer":{"name":"ada","email":"ada@harbor.example","date":"2026-10-05T08:30:00Z"},"verification":{"verified":false}},"parents":[{"sha":"0000000000000000000000000000000000000000"}],"author":{"login":"ada"}}],"reviews":[{"user":{"login":"bela","type":"User"},"state":"APPROVED","submitted_at":"2026-10-05T08:30:00Z"}],"review_threads":[],"check_runs":[{"name":"build","status":"completed","conclusion":"success","completed_at":"2026-10-05T08:30:00Z","app":{"slug":"github-actions"}},{"name":"unit tests","status":"completed","conclusion":"success","completed_at":"2026-10-05T08:30:00Z","app":{"slug":"github-actions"}},{"name":"integration","status":"completed","conclusion":"success","completed_at":"2026-10-05T08:30:00Z","app":{"slug":"github-actions"}}],"statuses":[],"branch_protection":null,"rules":[],"teams":{"acme/harbor":["ada","bela","chi","dan","eva"]},"permissions":{"ada":"write","bela":"write","chi":"write","dan":"write","eva":"write"},"dependencies":{},"behind":0,"deployments":[],"review_decision":null,"head_history":[],"scopes":[],"dequeue_reason":null,"queue":null}
\.


--
-- Data for Name: sources; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.sources (repository_id, source, kind, deliveries, first_at, last_at) FROM stdin;
2	activity-log	import	84	1791244800000000	1791244800000000
3	github	webhook	15	1791244800000000	1791244800000000
\.


--
-- Data for Name: stays; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.stays (repository_id, stay, pull_request, entered_at, entered_group, left_at, left_group, reason, batch_id, retries, queue_time, ci_runtime, idle_capacity, idle_schedule, idle_freeze, head_sha) FROM stdin;
1	1	2201	1791162008766493	1	1791162512594498	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00001	0	503828005	490583920	13244085	0	0	363dea874ed7138a34e4f0c80a6466939b4b7601
1	2	2202	1791162020824224	1	1791162514901352	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00001	0	494077128	490513679	3563449	0	0	2106055e788d880743f226f69280728abd19a35e
1	4	2203	1791162032227769	1	1791162515706257	1	PR_MERGED	website-bedb3a-00002	0	483478488	475856960	7621528	0	0	f941dff7a7196388b8986964cb7ea8dcdc6c78ef
1	5	2204	1791162034804603	1	1791162517937354	1	PR_MERGED	website-bedb3a-00002	0	483132751	474976915	8155836	0	0	0bb606acb5c38cb81251e770056f70634fc6cef9
1	7	2205	1791162036827318	1	1791163299771739	1	PR_MERGED	website-bedb3a-00004	1	1262944421	1256580532	6363889	0	0	bb678fef2b1201956022a558a50455991386a0ac
1	8	2206	1791162040061614	1	1791163504036548	1	CHECKS_FAILED	website-bedb3a-00005	2	1463974934	1456394128	7580806	0	0	3543e1061090b0719a6c0f1bbad1a3e942fc5daa
1	15	2207	1791176486621905	2	1791181746562551	2	PR_MERGED	default-bedb3a-00001	0	5259940646	1743947664	2614887	3513378095	0	fda67014e5863af28b63e5ba101a2be1d5a479ac
1	16	2208	1791176496219682	2	1791181748836311	2	PR_MERGED	default-bedb3a-00001	0	5252616629	1742824674	6011637	3503780318	0	239c6e4f254ecb28da9f353568ab5b6f9c1fede0
1	17	2209	1791176592137955	2	1791181749891923	2	PR_MERGED	default-bedb3a-00001	0	5157753968	1741875439	8016484	3407862045	0	5c03bacd9eb039b51bc7791b979bbf91d9f70b08
1	18	2210	1791176662869370	2	1791181750415086	2	PR_MERGED	default-bedb3a-00001	0	5087545716	1741293791	9121295	3337130630	0	be4a598f6f074340d918991c8a905a8b5de19261
1	19	2211	1791176673425593	2	1791184026538981	2	PR_MERGED	default-bedb3a-00003	1	7353113388	3657906580	368632401	3326574407	0	276afe776ef66480b2e86ecdeaad96ede6fb8733
1	20	2212	1791176678153558	2	1791184820788474	2	CHECKS_FAILED	default-bedb3a-00004	2	8142634916	4450720716	370067758	3321846442	0	d9e6103fd81995a30cc51ce54799838178f3e998
1	21	2213	1791179772000853	3	1791186895608915	3	PR_MERGED	release-bedb3a-00001	0	7123608062	3293195660	2413255	0	3827999147	2147b6eb9ca41347510b9ec5e5aafab64c036160
1	30	2214	1791183602513675	1	1791184125160775	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00006	0	522647100	498639694	24007406	0	0	f90577161d4c87eac807400599103c70cacb6bae
1	31	2215	1791183624716958	1	1791184126197662	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00006	0	501480704	497728090	3752614	0	0	98810f18320f07e40906d86eef238b4041489d96
1	33	2216	1791183633962951	1	1791184127731172	1	PR_MERGED	website-bedb3a-00007	0	493768221	475286199	18482022	0	0	e0930baa4cffc300fe2e57f50ac46250b4306313
1	34	2217	1791183647900479	1	1791184128166883	1	PR_MERGED	website-bedb3a-00007	0	480266404	475037344	5229060	0	0	e51d079e2a7a98ee889cceff8bddb773adf4c961
1	36	2218	1791183663502982	1	1791184715479267	1	PR_MERGED	website-bedb3a-00008	1	1051976285	1041418659	10557626	0	0	4244ccae6c367bd64a41d41ab72925e329434ad8
1	37	2219	1791183671071279	1	1791184716651499	1	PR_MERGED	website-bedb3a-00008	1	1045580220	1040960810	4619410	0	0	7132e3cbe42fea3bf64a37b10c2b01fce185ae3e
1	40	2220	1791187255582807	4	1791188908156053	4	PR_MERGED	default-bedb3a-00005	0	1652573246	1350526347	302046899	0	0	02610d1b7bda8b0a668b54e607638d9c049e9f7b
1	42	2221	1791187911799319	4	1791189921269107	4	PR_MERGED	default-bedb3a-00006	0	2009469788	1707027419	302442369	0	0	dcdd13d40846cd2f694caf8d1bf40bdd18aad263
1	44	2222	1791188881361463	4	1791191351005454	4	PR_MERGED	default-bedb3a-00009	0	2469643991	2164509926	305134065	0	0	6fa1a1ee23deb3812cd09ce6c24bbdcece10cee7
1	45	2223	1791189021259954	4	1791191351659972	4	PR_MERGED	default-bedb3a-00009	0	2330400018	2163515363	166884655	0	0	b034b24d2f7f614c5b48fddb49926d69bf7b74a1
1	46	2224	1791189101223462	4	1791191353998562	4	PR_MERGED	default-bedb3a-00009	0	2252775100	2162687942	90087158	0	0	5a59685bd03f7a043a94d7336b31adcaa4f5680b
1	48	2225	1791189678462527	4	1791191354957392	4	PR_MERGED	default-bedb3a-00009	0	1676494865	1436289504	240205361	0	0	24f0f19642508cd67ca8fb6bb38cff3deaec1ee3
1	49	2226	1791189694149034	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	3e377d19276311dfb610ec388bf5e980d9652d7c
1	50	2227	1791189908643290	5	1791190946785763	5	PR_MERGED	default-bedb3a-00008	0	1038142473	1034509078	3633395	0	0	cb210f29a7cc4c0e7d30c43b5dbe05ec2f1879ca
1	54	2228	1791190169199401	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	fce72b41def5c961fcf83c45ac91ef748905d9af
1	55	2229	1791190702295337	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	656e68ba274c7ce4648afc6e7c3e7b3d9c9ca38d
1	57	2230	1791192197724450	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	a93bbeb841057362783e4021b5253fcaf031ffb8
1	58	2231	1791192198482447	3	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	5f07970f236ff4b65a9ee191df4eb355717ddba9
1	59	2232	1791192399350105	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	57128326174dae66e2c6a3483021d9a96555c0b8
2	8	3	1789380018000000	1	1789381260000000	1	PR_MERGED	X	0	1242000000	1050000000	192000000	0	0	b57e31b5d5a0671d29bf4f413a0d6eed49a8b74e
2	14	5	1789380000000000	1	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	\N
2	16	5	1789380000000000	1	\N	\N	\N	\N	0	\N	\N	\N	\N	\N	\N
2	7	2	1789380000000000	1	1789382406000000	1	PR_DEQUEUED	\N	0	2406000000	1590000000	816000000	0	0	71c6938201131592278141450e924f62e75e37df
2	2	1	1789380000000000	1	1789380300000000	1	BASE_BRANCH_CHANGED	\N	0	300000000	0	300000000	0	0	71c6938201131592278141450e924f62e75e37df
3	4	1	1789380000000000	1	1789380600000000	1	CHECKS_FAILED	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	0	600000000	540000000	60000000	0	0	71c6938201131592278141450e924f62e75e37df
3	6	2	1789380000000000	1	1789381200000000	1	PR_MERGED	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	0	1200000000	1140000000	60000000	0	0	97482077d94a5fa8753d3f9610378119902f5718
3	10	3	1789380000000000	1	1789381200000000	1	PR_MERGED	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	0	1200000000	1140000000	60000000	0	0	b57e31b5d5a0671d29bf4f413a0d6eed49a8b74e
\.


--
-- Data for Name: subjects; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.subjects (repository_id, number, key_high, key_low) FROM stdin;
1	1	-5353242240417964342	-3357141317384579223
1	2	-665608284300372034	9179410454265741565
1	3	-4249506186848326087	7147783754735995673
1	4	956862930338604386	8508224572028618724
1	5	-1040967006390675158	4143172236567327246
1	6	-7078157068040923757	-8195083907231347
1	7	-4229990647985409749	-3523661826648376118
1	8	-3605225122056771128	3386575083483542878
1	9	3486037165612113151	326404954435480933
1	10	-5555376647072335997	-2351990512910595678
1	11	5776303086770172947	-3234043526446072305
1	12	5919432506491502106	2197305939224061171
1	13	6805335559425180215	-7304350743252173782
1	14	8938687835805009866	-78760196032055230
1	15	-7642353939123863004	-617852085047643736
1	16	3319607879073772207	-1855644701635553487
1	17	8284126105695566478	5862010304320301718
1	18	8046273052657341285	8432347883570722637
1	19	590618122266243931	8614214768504270854
1	20	7878325937929175757	-1239716290944524089
1	21	6582062326122316028	7432182489409514270
1	22	4085136008656095914	-6275131486635035402
1	23	-905455490285194085	-8214970163429089761
1	24	-7029381745161248532	2027773114394055555
1	25	7037715587296124108	-852436580021742450
1	26	-407769149818114667	-9201511413524543607
1	27	4142332028688376823	-8861629935725942729
1	28	2538959549710750542	2019623807559100971
1	29	-3452905791224234195	7305680983652626827
1	30	4856473794216939675	2231374168602876824
1	31	868030953937073458	4061329315827713481
1	32	-2280173577847231686	6052267101694605912
1	33	-419034345592703151	-3387572640931873905
1	34	5915556529895021417	1805705687716695609
1	35	-8516543553378618882	-3879622431217216605
1	36	247619781484300024	7908964203839306956
1	37	-6624753490341998208	-1583398877716690517
1	38	-8032935725248287654	-5592921253271359804
1	39	4800794261733298692	2004258416610265114
1	40	3327618962319348765	1156841583184346507
1	41	384131023799431749	6478940849054974809
1	42	4001521135886176429	7755718210737949092
1	43	8283362985941372173	-7580076872417719791
1	44	-4661391738902112007	1712001671562219009
1	45	264953043817389657	3591785923490369387
1	46	-1227500245967765711	6235171659156601525
1	47	2394862357152058605	3060236293559982269
1	48	6008205348575292606	562184979031147799
1	49	-7905503785992042490	4781465865377969511
1	50	-5749883711517691284	-435588151443095567
1	51	-9189971347657629085	1071549149954747023
1	52	7456695185445371295	-1094882234986636463
1	53	-4043886874421843819	1219361318661505737
1	54	293700387215715731	2771770129499427377
1	55	7240263044979158184	4027637616602446154
1	56	-3461549156005176192	1210574733553615783
1	57	-8744120913725363107	-3147117366694137620
1	58	1733453182484168070	-8448040587951097657
1	59	-4691187094783558388	4617739829296389117
1	60	6875769927081011680	9106592476261892533
1	61	3614472539778890939	4450908104402399568
2	1	-208483258464094550	-1008067681240539941
2	2	6579670993733113375	-7058863008619833836
2	3	-8912921793739455307	1003791472693888881
2	4	7573781735160945792	-8311264368870257089
2	5	-5127819135140303752	6490504509897556363
2	6	-7964815049424674729	6768537182898184547
2	7	6071111676982645630	3078050502726538792
2	8	5487726131378734296	787708348223771001
2	9	-8772633069812703623	-423451149254624833
2	10	7640364460358433905	-8422227143787764698
2	11	-7722486342886290809	-5121024318523920399
2	12	-2823726151488273499	4625618263285824609
2	13	-1456607200468355443	6787427437342399717
2	14	3294793730046615042	6523416235948578817
2	15	-4765896019614823453	-6103965323304404296
2	16	-8666523110524745493	-2274123447260555997
2	17	-3860897285251204919	8567620203312120311
2	18	-7699333283280393672	1427733826998203623
2	19	-1729420949869167853	1795653648514862823
3	1	6266498961612626366	-286386524333658634
3	2	5516714269524883629	5920723829390597602
3	3	5042124518657957925	-5414874351007018046
3	4	-1802175812383443451	-642309997112551072
3	5	-5589711779025501209	3475258183577317956
3	6	3444689310817559951	5449754983475556493
3	7	-7430595987125652796	-4827182210918387360
3	8	-8028896141395142439	-7932814827719699877
3	9	7397499086196150988	-4487766199207393941
3	10	-2210403744910259153	1488613002485885760
3	11	4219042573962170448	5939696638290964808
3	12	6188997068912617685	624385207422036757
\.


--
-- Data for Name: thread_links; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.thread_links (repository_id, thread, is_owner, name) FROM stdin;
3	1	f	1405df66cbe219b0bf6355bc3d60361a8376b6b4
3	1	f	main#
3	1	t	fe05bcdcdc4928012781a5f1a2a77cbb5398e106
3	2	f	fe05bcdcdc4928012781a5f1a2a77cbb5398e106
3	2	f	main#
3	2	t	ad782ecdac770fc6eb9a62e44f90873fb97fb26b
3	1	f	main@14911504
3	1	f	main@14911505
3	1	t	main@14911505
3	2	f	1405df66cbe219b0bf6355bc3d60361a8376b6b4
3	2	f	main@14911505
3	2	f	main@14911506
3	2	t	64e1c008ebdb6692886cf6ea7a6653837d34eeaf
3	2	t	main@14911505
3	2	t	main@14911510
3	3	f	64e1c008ebdb6692886cf6ea7a6653837d34eeaf
3	3	f	ad782ecdac770fc6eb9a62e44f90873fb97fb26b
3	3	f	main#
3	3	f	main@14911505
3	3	f	main@14911506
3	3	t	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7
3	3	t	b802f384302cb24fbab0a44997e820bf2e8507bb
3	3	t	main@14911505
3	3	t	main@14911510
\.


--
-- Data for Name: threads; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.threads (repository_id, number, source, name, standing, first_at, last_at, is_about_queue, translation) FROM stdin;
2	4	activity-log	#2		1789380012000000	1789381260000000	t	3
2	5	activity-log	#3		1789380018000000	1789381260000000	t	3
2	1	activity-log	#1		1789380000000000	1789385400000000	t	3
2	13	activity-log	#5		1789381200000000	1789383600000000	t	3
3	1	github	#1	{"fe05bcdcdc4928012781a5f1a2a77cbb5398e106":"CHECKS_FAILED"}	1789380060000000	1791244800000000	t	3
3	2	github	#2	{"64e1c008ebdb6692886cf6ea7a6653837d34eeaf":1789381200000000,"ad782ecdac770fc6eb9a62e44f90873fb97fb26b":"fe05bcdcdc4928012781a5f1a2a77cbb5398e106"}	1789380060000000	1791244800000000	t	3
3	3	github	#3	{"5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7":1789381200000000,"b802f384302cb24fbab0a44997e820bf2e8507bb":"ad782ecdac770fc6eb9a62e44f90873fb97fb26b"}	1789380060000000	1791244800000000	t	3
\.


--
-- Data for Name: thresholds; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.thresholds (repository_id, base_ref, queue_name, figure, millionths, alert) FROM stdin;
1			time_in_queue_p95	3600000000	f
\.


--
-- Data for Name: untranslated; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.untranslated (repository_id, thread, source, reason, times, last_at) FROM stdin;
2	1	activity-log	unknown code SOLAR_FLARE	2	1789380300000000
2	1	activity-log	an event with this id was sent by a client	1	1789381800000000
\.


--
-- Data for Name: verdict_states; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.verdict_states (repository_id, day, base_ref, queue_name, document) FROM stdin;
1	20732	main	default	\\x78018d987b6c1c471dc77d67dff9ecf8790e09828a92b6424014d8d9f74629166a5382425168d442d4c2751ebfb18f5cee9cddbd3c0a559d07714b0bf2390f63412869ec3bc749d33604538404c63caa626a5a0909026a0ab40d02aaf21090aa2d0ab3eb3dcb777bbae3feb8dbbdd9ef6f3e33fb7bcccce1d21eb09d742e1b790cbbbf6c8a7ff6bde7a3c34d538e8b5d78c4fbd9ef1c9cda99cdedcd5e6e4a461e9c71c0f19e4ea5d905af7103014614bc41962563033a3794cf645236ecce83e33e97787406b22ed8c0524ba67b7e66245fb83064a77376dadd9fb2f3194865f12e389dc9ed9d1e04cc52ce20bef47eceb06e484805cdd415cc6593e80a68042309619900621a560d0bd3221dc4d901889432c0dda08bde6bdf87ab451bb093cb9ed97647eaf6cd777c6cf3add17adc6688fb5b21ee678fdcd0985b562caa83ca654d054a6493618b2b9aa2e926261ad1b94511070652c01dade4bebcf6d721eee67adc5688fb5435f72f0ebce7e5c6dc1a95148229b380488a453444a861588858864508b710b3b82111c90cb89b2bb95f57b687b85bea702329c4fd5835f7f34fc37d8db909a858b34cae73c95015556216322d0b51135b92864da2314096aca380bba592fb3f1f7a3dc41dabc78d42dca7abb95fd8b1ef7b8db96543c71c0c4307aeebaa2911194c1d28038c99a50b0fd139310d4509b8632bb99323a7fa5e0d71c7eb71cb21eec910f7a9937735e6160ea22349e1cc4496a56145a254431434118c96a998c830b902e232e08e5770cfbe71cf9b01f7e3b76cd97ccbd6eda9db3efaf14f6cbeb5b50ebb1cf6957355ec7d5bde79efa76bb0cfad48289270028921621026dc42c2ba2e9c43055d3274c5641695540b848f9300bc752578dfccd7268f87263c510f3aec288f5743e7347b6d03684619430a532553d52993b96ea91473530c83ab12116da67017592f7b49a202faca5b5f7242d06df5a0c35e72be1a7afadacf8d06d03ac7082300596140844bc8944916059dca2a218c02052451002398e9b695d0ab372985ae10747b3d6825e4da4f54433f75d7be0b0da045d65389ac8a3936b88e54aa11d5e48c11d512d983e91611ae61a8b89c47da2ba16ffeca4f42d0abea41ab21e827aba167dff5cdf73580d644ead34d8d301190069654055b2a134943270ac28c62ac725178a4b24fafaa84c69bfe1882eea807ad85a09faa86fecdc113fd0da065954b1c59ba2a6b9249996e506c72a213e12a9473e13318a8f09eb24f775442e72e6f0b4177d683d643d017aaa12fedfec74c03680514c360a292886c811013bc4802aa9826e11a58a6283bba2633a3bc1ce92c43cf05b0735df518c3aba66f57335ed9f8e26f6b3016f3f680585fadc87362d181242e5bd8a054a512184ce4685511859080a4019539320d8be220fabacaa4deb26ff54def3ef372687abbeba187174e17abd1ff3d7ffa0335d05726674ec190898a18708d5a3ae2949b0a55354c2d04dc504d51cc99857900dd5d865e9ede9e7a8ce145d277aa1857bfe3a1b6468cbaa683a8195836546a505045d5c65cacf50caa8041145142c4ac8a521230f684187beb302ae122375bcd983dbbbfd60274e53c624b210488a9224933145d364c05544946449335858bd22129888b8545c0d81b624cd6630c9787a7ab19ef7bb26d478377ad19483615518d0d9561d07590a98e15d55404a778c7229034b1185d664c86182733d8719393763eeb1c2a89ef6c3a3b7068eca2f01d9ccfb8e5cd882449488a1c2966f3bb08d81d3362a362bbcbbb90bebf7ee6e0bda55de0b53985ce6226ed88c642e7146419b0d1b383d849893d114b5377bea669b46cbab3caf4ea9b6ef84247d9f458774f605b5cfddfc6e565e35dd5c687c71f8e2e1bef4d968df7266b195ffaefcbd18968ad314872c40bfadef13fdfb3c7bf985dbbfe8db158fc442cded21c8dcccf8f364f34d71646979effe0f693fec55f46d6272a849189484d210a7a9c59f3115f78ed1b27178f45a2cd2dfed78fe7476313b19a42d517269bda62839e30b9f1932fae2bc4c7e23141d932d15253a3049ae6ddfff23523c32d5f2fc40a31d14d7c225e53a2fa034b6efcdc6b4bddccbef2e167caddb44eb4d6d4687e377d3bfefbab11af9bbe99fb37260bad8556d14d62225153a22f490eacdb729b2fb9f27b775d213196f034ed13ed3535e692e6caa7ee7ed6d3acbef1cdd9970a5d852e215935b1aaa6c40a247716aef3259b3a9e491c6b6b5fd571dcfbf2947e28754db9368073782a6733b00f8a3b9cce1e3e9dc1038b4daffc61aee46df14588cd950876e92038470f4dfb5762fb5f33e8caee59e8f4a45ed0f983f422aebe129595633ddd2ba57e44d597cacbd2de6485d48b97c9815c164e7a6e168bb726fcb14fbbb9017007c11e2dedc569570c6f745284be335a1cca602a26a3ad90e838dee53ddbe9cf5667d7d1ce9eee22cde5b3ae73609289239103cf6d7beb213f0db54fdbb02bb707679c88e82bc73a8a43d87180c58b3c837782b3d0147ccedbe0da6970524bed4dcbf7fe736cf9b9731ca7332259790723cef059bf35b89986a1b49363202076c2905b3812e4f278d5b9cb64709493f4365d53bea1d1297110b3cb393a1ef17116faffb4fdeae2a53523e3fe6df342bffc6ae2fcf53f6d196f8a7a9f85febfbd7d31ba75ebba99b49372c07505d1fc942dce849c078bc4ceed84ec42ffa3730f44de6efdfb948fb8d07fea6acbfd3fba7ee8ac37cefda9e0cfe797467f6e49536b5095e37dc23bd3a190f226216f8b09f027397e369f857de2f5a4b3c0864bfe9b00762cda1c8b979604ce81f8d842ff57afeb2ebdf483cf37950443dece3aa3a2806407dc41e7c4e2c03f47461747be38565adcf6003cbc083f5cffbbc59bcfdcbd66f1ceef6aaf159da14cda7522cbef72f87fb51e457c
1	20732	release/2.4	release	\\x78018553cf6bd440144e7210f522bafd033c7a59d8ec4f968a5e2c8220948a470993cccb266c76b2ce9b547bdb6d8bb4d243d69be0c96e926db7545b845e97eaadb47a123c0af59fd08b93ec76452d3a879979f3debcf7bd6fbe594d1681a3eb33f535111f950b8faeef6a1d254241046ca4cb122e474de63f61cbeada3602a6b1864bf75357de046a9648be58d44b797da71d789ec1e17100288e2f46dbc00470a0c638f1d5e797be3fdc6f73d7e7ae583278e081c1480b4603070835d0215f6e14f572cdac8259b748592f956b15bd60d6c1aa4085109b98d5b2552855f56a21b61cc21aa0261ed862923f57dc7cf520e640d0675bf30bc6fdb985bb7377b47f802ee97f813ef803f40c3bb87ce53fa02b76a156af15ec62a96adb65b35a217500bdae53bb0c66a952a9e9354a4d529f80d6ce408f2660477d8fa0d0fa3c60b892c899b9acd17df18e83279b8133920b7214d567310b5a26706d5b3e00175376673a5b9f4f9316a43eec69b1e7a274f6b40818051a0e1d82867c69ea5ae2707cd6555faae716d1d55407d7d8ad6f6fd34daeb89ebbd9537beafbc3708c34121c0057239f53e0cbd2222e5bddf448e34439fd3a4a5265c80e46894984e500f65606d94eaae6dc9e7ea14eafa63da565b386fa0d9f414f1d08bf01c2011e264f882b64f2b02ffbc2306e7bc402ec6a616cf90113d8ed53a9d8eef1fc8ff58c4f75c0a1e52f120f1599cba76adc26882057db234dc0236532763908ee021a63bf32b5b3383a8ddbb189eb49d653e56267987927c600da2efa54c2e937a12dc288cb3f846bb1c9fd26b0a3db9b7bb3b9bdd99928bb33358769e1256372f8690c67677ce7bc2abf0378937e040b8c1455c025a2ac6b651830782ab97119d04e92512345908c83b193c89a0167184a29b28670b077f2e15e7e23c6b6e70a54a69c757e029e2fa906
1	20732	website	website	\\x780195977b881b451cc72fefe472f5714241507ce0a328d5d9f7ac8267ed453d6da5f4aa7f281266777e7b599adbe47637d65aa4d7da6aab1672d7d212b5e7eb925cafb5ada555041fe7a9881e9ef6af5a1145ac088ae87f05ade26493abe63624ba8464273bdf9dcf77e6f79bfdedb6ea23603b66ce0abc42dccfbba20f5f793838da55765ce2c2b3b59f8dced6f27a2bb7c17a36b063da01a7d6376dd263b54bcb35a09a4096f33ce2967387f2856c366dc348011cf7b378691a2c176ca0e9fa8d970cf5efb8fc58de3673b6e96e4cdb852ca42d320c3353192034ed64c8e965822c50205811812a9c8089208268201d23228bb2ac0aaa266a8a8cb88a9e21d61004aa5930dc85fb6f5ff5c01d151b8893b34e5fb7666d7a756aed5da9fef4c07deb526b57a7fa0756ac4ba5d7a606ef5fb56e303d78efc09a35a9fe603b4bbccfd2733e4be7b6bdd4c112cf211949122818538c91220a06cfcb86acf2acc163a2514e2582040d4bc1664bb99d99ff6929d4ce92e0b3f4fc624b99e9ed6f75b064a822470d43210aa7ca02c61a56b1accaa2ae296cf1a84e75595730180d4ba1664b9b4e8e352c1d38bf48e176d0a20ffa051ff4c9539b3a40234d93914c744dd205ac6b98e3250e140521493614240ba2c1a8c1501bd0e166e8fd5f7fea838eb483967cd0fb7dd0bf1d7fa303346356b00106af712cc55449463c4f240913098992a4aa2c47648288de808e34411f574e3ce4838eb683967dd0138ba1cdab2f38dc015a90440158d47348451a623142641d199ca611ca1101549137748912d2808e3641cfd0a73f6c40bfb6f2eed4ca7b07d377ae185895ea8fb501e7fc21525904de6b3d7836d901dc5091a4289ccc5151c72c94d9bea3882c40d83c23415790cea247d6c842aac6fe0ddebb6bcb2f7735c0ffebee136f67c91f40d5c59672afcd4e74b0a462ccb1b9c7028f0ca480c89644a65806165202d64424722256a92a37d622de6c69ecbd89ff6929d1ce923fbca6165bcadf72eae30e9600a902d2081175c3d005840ce041520c89a58128f312d24481a53327342c259a2d1db8f68c2f27badb412bbe9c38b0187ae4c227fa3a414b1c458a0a3c51888a01305675b6db1858a3545314815043d45579e1c1d6dd0c7d64ee7b1f74b21d34f6414ffba0ffdcfb6407689117455d2720eb82ac68541609dbf7458e680aaff21208bc2a0a22a1b831d3c926e8a3af3fea87ee6907adfaa00f2e86b6477a6fee00cdea061e045d03b6cd00113483610b8ac6219dd71067e8c0618980b090c43dcdd01f3cf4b36fa627b3c4717b26ed82e53c5165df96690d8d96c1a24077864aa1f1e31b40734c1716aa21c40e2150aba59698d78fedf24eb62fbde1fdf148746f241a0e0503b3b3c56029d852c8d785996f4ee4ebc25b4f1c1d0f85f784c2c1c007b3c57029dc522604ebbdaf9afac23bd9addeb8998dc73e6cac6829da5224d5c7da7dfface4898e8dfcb4692c3a1e8d304da41469a9111b9a01cef434c797fd71cb58642cc2d862a5584b8954673bb66933f224332bbfbc676198ee52774b0df686e9b51fe396d534bdcf4ceddd379eecd99bece94ec4638c2f514ab4142a75e1c8251ffde80977652e9a184f74ef4974c7638c31594ab694618fb1f799b7bfbad9931d7df936fd9ff198d00b8264d9b5019c6de59c4dc1deca5ac4b4b6bd9a2543f35d67be9ba9d66a62161c33558db87a069ce2e450ce821702c15038128dc513ddc99e293737046e06ec627503315dd6bb38c942c92956f259a283b335508c172b7aae60b9ce9649cacaef2d9fadf963a7177d89291b86738f90ac136037ced164254f1c0768a86264c97a70e6fa7e7df7879b86f8fb0edbe0da2638e9faf5c0f9b6d78fce75358e430631b3ac40af95e1cee841ef6aa3310579d3c9516010eb21ef8e3db9f0b45e54e54f345e1b96d41edc65ef46c5322bfb879dddfb02de30737d3f0e9e9d3fbdf4a97d5e3334d777e970bcface70705f57b07630eabfce5cbce2ecb969d3493be0ba8c68b66cb3f70f674745b373ebc19aeb7b716673e05cecb7b28738d7f7f2d9f0e3ef5f913f58f3b931ddf8f38bbaab43754d2b53cd7e8fd45e227448d726a160b309f026397ab060c1a36c314c0be868d55b09a02cffa2b16a5de06c898ecff53d7e75e1e2df8fc4bbaa8ca1605b4e916d24d6909b71f6cc5ff670d7edf3577efbc9c9f9cbd6ddf3e6fc3567a85871f259d37502e75770f46f4b1f14a9
\.


--
-- Data for Name: verdicts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.verdicts (repository_id, stay, left_at, pull_request, judged_at, revision, base_ref, queue_name, session_id, cause, act, said_act, document) FROM stdin;
1	20	1791184820788474	2212	1791185405788474	1	main	default	stay-bedb3a-2212-1	unknown	look	look	["unknown","cannot_tell","look","Cannot tell whether it was this change. It failed 4 times, both in a batch of 2 and on top of 1 other, and this queue does not report which check failed. Look at the log.",0,[6,1,false,true,0],[0.985,0.0,0.003,0.012],0.015,0.015,null,[],[],[["failed_with","Its checks failed when it was tested with #2211, #2210, #2209, #2208 and #2207.",["default-bedb3a-00002"]],["failed_with","Its checks failed when it was tested with #2211, #2210, #2209, #2208 and #2207.",["default-bedb3a-00002"]],["retried","That was attempt 2.",["default-bedb3a-00002"]],["failed_with","Its checks failed when it was tested with #2211.",["default-bedb3a-00004"]],["failed_with","Its checks failed when it was tested with #2211.",["default-bedb3a-00004"]],["retried","That was attempt 2.",["default-bedb3a-00004"]],["passed_without","#2207, #2208, #2209 and #2210 passed without it.",["default-bedb3a-00001"]],["passed_without","#2211 passed without it.",["default-bedb3a-00003"]],["others_passed","2 runs of others passed in the 3 hours before.",["default-bedb3a-00001","default-bedb3a-00003"]]],[["default-bedb3a-00001",1,1791181744545230,[2207,2208,2209,2210],"passed"],["default-bedb3a-00003",1,1791184024372379,[2211],"passed"]]]
1	8	1791163504036548	2206	1791164089036548	1	website	website	stay-bedb3a-2206-1	unknown	look	look	["unknown","cannot_tell","look","Cannot tell whether it was this change. It failed 4 times, both in a batch of 2 and on top of 1 other, and this queue does not report which check failed. Look at the log.",0,[6,1,false,true,0],[0.993,0.0,0.003,0.004],0.007,0.007,null,[],[],[["failed_with","Its checks failed when it was tested with #2205, #2204, #2203, #2202 and #2201.",["website-bedb3a-00003"]],["failed_with","Its checks failed when it was tested with #2205.",["website-bedb3a-00003"]],["retried","That was attempt 2.",["website-bedb3a-00003"]],["failed_with","Its checks failed when it was tested with #2205.",["website-bedb3a-00005"]],["failed_with","Its checks failed when it was tested with #2205.",["website-bedb3a-00005"]],["retried","That was attempt 2.",["website-bedb3a-00005"]],["passed_without","#2203, #2204, #2202 and #2201 passed without it.",["website-bedb3a-00002"]],["passed_without","#2205 passed without it.",["website-bedb3a-00004"]],["others_passed","2 runs of others passed in the 3 hours before.",["website-bedb3a-00002","website-bedb3a-00004"]]],[["website-bedb3a-00002",1,1791162511504816,[2203,2204,2202,2201],"passed"],["website-bedb3a-00004",1,1791163298806586,[2205],"passed"]]]
\.


--
-- Data for Name: waiting_threads; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.waiting_threads (repository_id, thread, first_at, last_at) FROM stdin;
\.


--
-- Data for Name: withdrawn_ends; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.withdrawn_ends (repository_id, subject, type) FROM stdin;
2	2	queue_entered
2	3	checks_ended
2	3	checks_started
2	6	checks_started
2	2	queue_left
2	9	checks_ended
2	9	checks_started
2	6	checks_ended
2	7	queue_entered
2	7	queue_left
2	12	bisection_ended
2	11	checks_ended
2	11	checks_started
2	18	bisection_ended
3	8	queue_entered
\.


--
-- Name: repository_ids; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.repository_ids', 3, true);


--
-- Name: added_sources added_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.added_sources
    ADD CONSTRAINT added_sources_pkey PRIMARY KEY (id);


--
-- Name: alerts alerts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (repository_id, id);


--
-- Name: application_keys application_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.application_keys
    ADD CONSTRAINT application_keys_pkey PRIMARY KEY (id);


--
-- Name: audit_lines audit_lines_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_lines
    ADD CONSTRAINT audit_lines_pkey PRIMARY KEY (id);


--
-- Name: reference_periods baselines_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reference_periods
    ADD CONSTRAINT baselines_pkey PRIMARY KEY (repository_id, name);


--
-- Name: bisection_ends bisection_ends_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bisection_ends
    ADD CONSTRAINT bisection_ends_pkey PRIMARY KEY (repository_id, bisection);


--
-- Name: bisection_starts bisection_starts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bisection_starts
    ADD CONSTRAINT bisection_starts_pkey PRIMARY KEY (repository_id, bisection, depth);


--
-- Name: causes causes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.causes
    ADD CONSTRAINT causes_pkey PRIMARY KEY (repository_id, kind, key, phase);


--
-- Name: channels channels_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (id);


--
-- Name: checks checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_pkey PRIMARY KEY (repository_id, stay, run);


--
-- Name: ci_block_sums ci_block_sums_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_block_sums
    ADD CONSTRAINT ci_block_sums_pkey PRIMARY KEY (repository_id, first_day, base_ref, queue_name, name, runner);


--
-- Name: ci_checks ci_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_checks
    ADD CONSTRAINT ci_checks_pkey PRIMARY KEY (repository_id, run, name, check_id);


--
-- Name: ci_day_sums ci_day_sums_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_day_sums
    ADD CONSTRAINT ci_day_sums_pkey PRIMARY KEY (repository_id, day, base_ref, queue_name, name, runner);


--
-- Name: ci_days ci_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_days
    ADD CONSTRAINT ci_days_pkey PRIMARY KEY (repository_id, day);


--
-- Name: ci_prices ci_prices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_prices
    ADD CONSTRAINT ci_prices_pkey PRIMARY KEY (repository_id);


--
-- Name: ci_runs ci_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_runs
    ADD CONSTRAINT ci_runs_pkey PRIMARY KEY (repository_id, run);


--
-- Name: ci_texts ci_texts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ci_texts
    ADD CONSTRAINT ci_texts_pkey PRIMARY KEY (repository_id, number);


--
-- Name: cursors cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cursors
    ADD CONSTRAINT cursors_pkey PRIMARY KEY (repository_id, source);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (repository_id, number);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (repository_id, key_high, key_low);


--
-- Name: expired expired_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.expired
    ADD CONSTRAINT expired_pkey PRIMARY KEY (repository_id, source, kind);


--
-- Name: github_apps github_apps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.github_apps
    ADD CONSTRAINT github_apps_pkey PRIMARY KEY (id);


--
-- Name: groups groups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (repository_id, group_id);


--
-- Name: leases leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);


--
-- Name: looked_back looked_back_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.looked_back
    ADD CONSTRAINT looked_back_pkey PRIMARY KEY (repository_id);


--
-- Name: notices notices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (id);


--
-- Name: pull_requests pull_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pull_requests
    ADD CONSTRAINT pull_requests_pkey PRIMARY KEY (repository_id, number);


--
-- Name: queue_counts queue_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.queue_counts
    ADD CONSTRAINT queue_counts_pkey PRIMARY KEY (repository_id, queue);


--
-- Name: recommendations recommendations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recommendations
    ADD CONSTRAINT recommendations_pkey PRIMARY KEY (repository_id, base_ref);


--
-- Name: repositories repositories_folded_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.repositories
    ADD CONSTRAINT repositories_folded_key UNIQUE (folded);


--
-- Name: repositories repositories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.repositories
    ADD CONSTRAINT repositories_pkey PRIMARY KEY (repository_id);


--
-- Name: repository_state repository_state_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.repository_state
    ADD CONSTRAINT repository_state_pkey PRIMARY KEY (repository_id);


--
-- Name: runs runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (repository_id, run, group_id);


--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (number);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);


--
-- Name: snapshots snapshots_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshots
    ADD CONSTRAINT snapshots_pkey PRIMARY KEY (repository_id, number);


--
-- Name: sources sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (repository_id, source, kind);


--
-- Name: stays stays_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stays
    ADD CONSTRAINT stays_pkey PRIMARY KEY (repository_id, stay);


--
-- Name: subjects subjects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subjects
    ADD CONSTRAINT subjects_pkey PRIMARY KEY (repository_id, key_high, key_low);


--
-- Name: thread_links thread_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.thread_links
    ADD CONSTRAINT thread_links_pkey PRIMARY KEY (repository_id, thread, is_owner, name);


--
-- Name: threads threads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (repository_id, number);


--
-- Name: thresholds thresholds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.thresholds
    ADD CONSTRAINT thresholds_pkey PRIMARY KEY (repository_id, base_ref, queue_name, figure);


--
-- Name: verdict_states verdict_states_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verdict_states
    ADD CONSTRAINT verdict_states_pkey PRIMARY KEY (repository_id, day, base_ref, queue_name);


--
-- Name: verdicts verdicts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_pkey PRIMARY KEY (repository_id, stay);


--
-- Name: withdrawn_ends withdrawn_ends_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.withdrawn_ends
    ADD CONSTRAINT withdrawn_ends_pkey PRIMARY KEY (repository_id, subject, type);


--
-- Name: bisection_ends_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bisection_ends_by_instant ON public.bisection_ends USING btree (repository_id, ended_at);


--
-- Name: bisection_starts_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bisection_starts_by_instant ON public.bisection_starts USING btree (repository_id, started_at);


--
-- Name: causes_to_send; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX causes_to_send ON public.causes USING btree (repository_id, due_at) WHERE (done_at IS NULL);


--
-- Name: checks_by_ended_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX checks_by_ended_at ON public.checks USING btree (repository_id, ended_at) INCLUDE (ended_group, outcome);


--
-- Name: ci_checks_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ci_checks_by_instant ON public.ci_checks USING btree (repository_id, placed_at);


--
-- Name: ci_checks_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ci_checks_by_thread ON public.ci_checks USING btree (repository_id, thread) WHERE (thread IS NOT NULL);


--
-- Name: ci_failures_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ci_failures_by_instant ON public.ci_checks USING btree (repository_id, placed_at) WHERE (conclusion = ANY (ARRAY['failure'::text, 'timed_out'::text]));


--
-- Name: ci_runs_by_batch; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ci_runs_by_batch ON public.ci_runs USING btree (repository_id, batch_id);


--
-- Name: ci_runs_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ci_runs_by_instant ON public.ci_runs USING btree (repository_id, placed_at);


--
-- Name: ci_runs_by_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ci_runs_by_key ON public.ci_runs USING btree (repository_id, key_high, key_low);


--
-- Name: ci_texts_by_text; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ci_texts_by_text ON public.ci_texts USING btree (repository_id, text);


--
-- Name: deliveries_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_by_thread ON public.deliveries USING btree (repository_id, thread);


--
-- Name: dictionaries_by_repository; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX dictionaries_by_repository ON public.dictionaries USING btree (repository_id);


--
-- Name: events_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_instant ON public.events USING btree (repository_id, happened_at) INCLUDE (group_id);


--
-- Name: events_by_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_number ON public.events USING btree (repository_id, number);


--
-- Name: events_by_run; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_run ON public.events USING btree (repository_id, run);


--
-- Name: events_by_stay; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_stay ON public.events USING btree (repository_id, stay);


--
-- Name: events_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_by_thread ON public.events USING btree (repository_id, thread) WHERE (thread IS NOT NULL);


--
-- Name: groups_by_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX groups_by_name ON public.groups USING btree (repository_id, md5(base_ref), md5(queue_name), COALESCE(md5(priority_rule_name), ''::text));


--
-- Name: notices_by_channel; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notices_by_channel ON public.notices USING btree (channel_id, created_at);


--
-- Name: repositories_by_platform_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX repositories_by_platform_id ON public.repositories USING btree (platform_id) WHERE (platform_id IS NOT NULL);


--
-- Name: runs_by_ended_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_by_ended_at ON public.runs USING btree (repository_id, ended_at) INCLUDE (run, group_id, has_verdict, started_at);


--
-- Name: runs_by_started_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_by_started_at ON public.runs USING btree (repository_id, started_at) INCLUDE (run, group_id, has_start, ended_at, batch_size);


--
-- Name: sessions_by_credential; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_credential ON public.sessions USING btree (credential, created_at);


--
-- Name: skipped_deliveries_by_repository; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX skipped_deliveries_by_repository ON public.skipped_deliveries USING btree (repository_id);


--
-- Name: stays_by_entered_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stays_by_entered_at ON public.stays USING btree (repository_id, entered_at) INCLUDE (entered_group, left_at, pull_request);


--
-- Name: stays_by_left_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stays_by_left_at ON public.stays USING btree (repository_id, left_at) INCLUDE (left_group, reason, queue_time, ci_runtime, idle_capacity, idle_schedule, idle_freeze, retries);


--
-- Name: stays_by_pull_request; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stays_by_pull_request ON public.stays USING btree (repository_id, pull_request);


--
-- Name: stays_by_saved_batch; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stays_by_saved_batch ON public.stays USING btree (repository_id, left_at) INCLUDE (left_group, batch_id) WHERE ((reason = 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED'::text) AND (batch_id IS NOT NULL));


--
-- Name: subjects_by_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX subjects_by_number ON public.subjects USING btree (repository_id, number);


--
-- Name: thread_links_by_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX thread_links_by_name ON public.thread_links USING btree (repository_id, name);


--
-- Name: untranslated_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX untranslated_by_thread ON public.untranslated USING btree (repository_id, thread);


--
-- Name: verdicts_by_instant; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX verdicts_by_instant ON public.verdicts USING btree (repository_id, left_at);


--
-- Name: verdicts_by_pull_request; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX verdicts_by_pull_request ON public.verdicts USING btree (repository_id, pull_request);


--
-- Name: waiting_threads_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX waiting_threads_by_thread ON public.waiting_threads USING btree (repository_id, thread);


--
-- PostgreSQL database dump complete
--

\unrestrict mergecast


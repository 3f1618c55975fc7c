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
-- Name: alerts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alerts (
    repository_id integer NOT NULL,
    id text NOT NULL,
    baseline text NOT NULL,
    began_at bigint NOT NULL,
    ended_at bigint,
    document text NOT NULL
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
-- Name: baselines; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.baselines (
    repository_id integer NOT NULL,
    name text NOT NULL,
    document text NOT NULL,
    hours text NOT NULL,
    compared_at bigint,
    comparison text
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
    done_at bigint
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
    thread bigint
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
-- Name: queue_problems; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.queue_problems (
    repository_id integer NOT NULL,
    found_at bigint NOT NULL,
    base_ref text NOT NULL,
    queue_name text NOT NULL,
    name text NOT NULL,
    since bigint NOT NULL,
    ended_at bigint,
    document text NOT NULL
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
    kept_since bigint
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
    idle_freeze bigint
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
-- Name: targets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.targets (
    repository_id integer NOT NULL,
    document text NOT NULL
);


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
    base_ref text NOT NULL,
    queue_name text NOT NULL,
    name text NOT NULL,
    millionths bigint NOT NULL
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
-- Data for Name: alerts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.alerts (repository_id, id, baseline, began_at, ended_at, document) FROM stdin;
\.


--
-- Data for Name: application_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.application_keys (id, digest, name, owner, scopes, created_at, expires_at, last_used_at) FROM stdin;
b56f2bb8908c	d172e578c0513eb2aedd55db59f106433f7a7d3722daf207879b97e99332f357	a release	acme	read	1791244800000000	\N	\N
\.


--
-- Data for Name: audit_lines; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_lines (id, happened_at, owner, repository, document) FROM stdin;
00065d20ae0280006dac342b	1791244800000000	acme	harbor	{"event":"products changed","who":"admin token","address":"127.0.0.1","details":{"products":["merge_queue"]}}
00065d20ae0280015dca41c2	1791244800000001	acme	harbor	{"event":"targets changed","who":"admin token","address":"127.0.0.1","details":{"targets":1}}
00065d20ae028002eef86e6d	1791244800000002	acme	harbor	{"event":"prices changed","who":"admin token","address":"127.0.0.1","details":{"prices":{"currency":"USD","per_minute":"0.008","by_runner":{}}}}
00065d20ae028003529ed368	1791244800000003	acme	\N	{"event":"key created","who":"admin token","address":"127.0.0.1","details":{"key":"b56f2bb8908c","name":"a release","scopes":["read"],"expires_at":null}}
\.


--
-- Data for Name: baselines; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.baselines (repository_id, name, document, hours, compared_at, comparison) FROM stdin;
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

COPY public.causes (repository_id, kind, key, phase, happened_at, base_ref, queue_name, document, stored_at, due_at, done_at) FROM stdin;
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
3	8	9	1789380060000000	1	1	1789380660000000	1	BATCH_AHEAD_FAILED
3	6	10	1789380660000000	1	1	1789381200000000	1	SUCCESS
3	8	11	1789380660000000	1	1	1789381200000000	1	SUCCESS
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
2	1	1	activity-log	import	0-81000000	\\xe076b0a70df29e9a9ffca6e89c220a55317f53db1fefd5c38e9d5c08e0e9b88c	action.queue.enter		1791244800000000	1789380000000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000000000000014b	block 183e06c60fa04d55
2	2	1	activity-log	import	0-81000002	\\x0bfc31d694822a9030cfd0ea1d9f4b9d2281e545fe6a3d9a4b0fac32c9fa8d64	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block 183e06c60fa04d55
2	3	1	activity-log	import	0-81000003	\\x7268b82301fb89388ede93175951334d918c572bb9383faa34414684c77b010b	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000002f800000221	block 183e06c60fa04d55
2	4	1	activity-log	import	0-81000004	\\x2c2353d2f17938a4b5e2675afe16cdeb4312ee46c4214f0cac699bdb6b1bd8fd	action.queue.merged		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e6d6572676564222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000005190000014c	block 183e06c60fa04d55
2	5	1	activity-log	import	0-81000005	\\x9ca218110c39392483b3e7ffa3e85a98750a273cb4457a7035e6abee0f9278de	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x00000665000001c3	block 183e06c60fa04d55
2	6	1	activity-log	import	1-81000000	\\xbd971102091327393122d85ffa6ac094548d531cd6df0f22bfac890c02510615	action.queue.enter		1791244800000000	1789380006000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030363030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030363030303030307d	\\x000000000000014b	block fbdd04c08c8c6453
2	7	4	activity-log	import	1-81000001	\\x3247b53e7323522138c0ac8125a946f72c8d765d817885e74a4b9e328998d6e4	action.queue.enter		1791244800000000	1789380012000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303031323030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031323030303030307d	\\x0000014b0000014b	block fbdd04c08c8c6453
2	8	5	activity-log	import	1-81000002	\\x3958eec038deb67321801c377c4921fc08271525a82b7a4a894dbedee6d67b3e	action.queue.enter		1791244800000000	1789380018000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303031383030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031383030303030307d	\\x000002960000014b	block fbdd04c08c8c6453
2	9	1	activity-log	import	1-81000003	\\x7c53d56a62c4215f4feba0710ba3a3304572b7c2c3b15cc2f1b24ada98225e52	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030317d	\\x000003e1000001b1	block fbdd04c08c8c6453
2	10	4	activity-log	import	1-81000004	\\x2a13c2efbdaed2465b128a8ea67457dcdc89364d82ea3d014819ee0f75783037	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030317d	\\x00000592000001b1	block fbdd04c08c8c6453
2	11	5	activity-log	import	1-81000005	\\x61f9720ef33556220f91bde07514652075411e91337a143bca73f57fde8041fc	action.queue.checks_start		1791244800000000	1789380120000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303132303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030317d	\\x00000743000001b1	block fbdd04c08c8c6453
2	12	1	activity-log	import	1-81000006	\\x231e942165fa0e897154afacecd6638229d071758501df51ea17ddc286c8ee1a	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030362c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000008f400000225	block fbdd04c08c8c6453
2	13	1	activity-log	import	1-81000007	\\xf9ffbd2805b6231dc144dd4962bd09ca2a46a18a7944239cdede3c43140a87f9	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030372c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030363030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x00000b19000001c3	block fbdd04c08c8c6453
2	14	4	activity-log	import	1-81000008	\\xf3f4634cdb796a455e5b7ecc5a7ac5b1f24620f56bb3dd2a27751b551a174aa2	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030382c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x00000cdc00000225	block fbdd04c08c8c6453
2	15	4	activity-log	import	1-81000009	\\x87d021b19f31f84804b8ed12059a08cbe50239d61585da48a7e186e9a712f411	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030392c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031323030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x00000f01000001c3	block fbdd04c08c8c6453
2	16	5	activity-log	import	1-81000010	\\xcd743d5118a91cd7bbbacded265a491485cb6f8926de493b8b0ea9f63a560405	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303031302c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c335d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303135303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000010c400000225	block fbdd04c08c8c6453
2	17	5	activity-log	import	1-81000011	\\x796d73b4b0695fc707bbb7b28158309eb75b2543fde9e20c603ad4a5540dacb0	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303031312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a332c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303031383030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x000012e9000001c3	block fbdd04c08c8c6453
2	18	1	activity-log	import	2-81000001	\\x906c7e47af4f06281264335acfdebae92ade6ce7943400d6e3ae0629e0162aa1	action.queue.checks_start		1791244800000000	1789380240000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303234303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block b3076137a11d2551
2	19	1	activity-log	import	2-81000002	\\xd5db8338f4b81a81fbb58b1e5ae4429f8d315e425d27ca6255b7ce19d773bc8a	action.queue.checks_end		1791244800000000	1789381440000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313434303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303234303030303030302c22636865636b735f656e6465645f6174223a313738393338313434303030303030302c22636f6465223a22434845434b535f52455452494544222c2269735f61626f72746564223a747275657d	\\x000002f80000022c	block b3076137a11d2551
2	20	1	activity-log	import	2-81000003	\\xb8875f10cc7278f0ed9681b380466dbb525822bb1c6a8758c93f5a7ef1ba88ee	action.queue.checks_start		1791244800000000	1789381500000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313530303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030327d	\\x00000524000001ad	block b3076137a11d2551
2	21	1	activity-log	import	2-81000004	\\x6033831009088cd413a105b855047ce65bfd6875f2f7425e9e14419b54a2cb3c	action.queue.checks_end		1791244800000000	1789382700000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323730303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030322c22636865636b735f737461727465645f6174223a313738393338313530303030303030302c22636865636b735f656e6465645f6174223a313738393338323730303030303030307d	\\x000006d100000221	block b3076137a11d2551
2	22	1	activity-log	import	2-81000005	\\x8ff91972c182dd7d5231cae955084b29188ba747aed2885c3f9733297d1f718f	action.queue.leave		1791244800000000	1789383330000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338333333303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275652c22667265657a655f77616974223a3630303030303030307d	\\x000008f2000001c5	block b3076137a11d2551
2	26	1	activity-log	import	4-81000000	\\xd84c53ab9721e16c66086bd9e03dce546a6c01089eef0db5ee64fee41f3e08ed	action.queue.checks_end		1791244800000000	1789381440000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313434303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303234303030303030302c22636865636b735f656e6465645f6174223a313738393338313434303030303030302c22636f6465223a22434845434b535f52455452494544222c2269735f61626f72746564223a747275657d	\\x000000000000022c	block 7ceb176123384df2
2	27	1	activity-log	import	4-81000001	\\x102ba10020ea62045ef744d30dd37cfbb3b861e386b05aef97805d6aaff36b33	action.queue.checks_start		1791244800000000	1789381500000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313530303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030327d	\\x0000022c000001ad	block 7ceb176123384df2
2	28	1	activity-log	import	4-81000002	\\x4472b10adbd4617a6479318e0d718053d9e46cd78012ec9cf88119aa42fc7978	action.queue.checks_end		1791244800000000	1789382700000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323730303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030322c22636865636b735f737461727465645f6174223a313738393338313530303030303030302c22636865636b735f656e6465645f6174223a313738393338323730303030303030307d	\\x000003d900000221	block 7ceb176123384df2
2	29	1	activity-log	import	4-81000003	\\x5e6152cfa57b33bba67daae1a9f2291ea8f66b70712fab4a855c9ae22b5c14ba	action.queue.leave		1791244800000000	1789383330000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338333333303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x000005fa000001c3	block 7ceb176123384df2
2	37	4	activity-log	import	6-81000000	\\xd44fa2cc4124e3f2726f0114317004470f9140aa3e6229a463c31d3c7bdfbf4f	action.queue.enter		1791244800000000	1789380000000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000000000000014b	block d836c66bef039c4d
2	38	4	activity-log	import	6-81000001	\\x86fc99fe5cd5943eb3c7386661364ad3a30e3b809881d65b2a17c5547fc2a38a	action.queue.checks_start		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block d836c66bef039c4d
2	39	4	activity-log	import	6-81000002	\\x251209606aa17e8d99ef6265980557a984c5252a6afdc3ba5c930efa75c5b1ad	action.queue.checks_end		1791244800000000	1789380540000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303534303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a2242415443485f41484541445f4641494c4544222c2269735f61626f72746564223a747275657d	\\x000002f80000020c	block d836c66bef039c4d
2	40	4	activity-log	import	6-81000003	\\x1da00c70696871db33a18f76f03e5ed701143a9df98269ce787e72961ddcf296	action.queue.checks_start		1791244800000000	1789380600000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303630303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a225a222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030317d	\\x00000504000001ad	block d836c66bef039c4d
2	41	4	activity-log	import	6-81000004	\\x493b6a6d82c65c7a9b81dd79891daff8a2dc84a24e22b911b788a1bfe3cc9def	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a225a222c226d656d62657273223a5b325d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303630303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000006b100000221	block d836c66bef039c4d
2	42	4	activity-log	import	6-81000005	\\x0bc5f3bb6e0379e2aaa38e54e3abdd1f735936fc3074dc72cba867b642729b4f	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a225a222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x000008d2000001c3	block d836c66bef039c4d
2	62	1	activity-log	import	13-81000002	\\xcaac426d8ef50cb6c7ba7dd7216f15e8d18fc893b1b94005eb6a75acce40bac2	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303039303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000002f800000226	block 6f0c69cc6b0c7956
2	63	1	activity-log	import	13-81000003	\\xd02d8b96a888976342450686478582031f936870be9dfcb32378cf4e67ab5ace	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x0000051e000001c8	block 6f0c69cc6b0c7956
2	64	1	activity-log	import	14-81000001	\\xacf71902c5b5a6a1c11cb64d662e187743df3dcf70d0645a41987ae11f810a28	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a2250525f4d414e55414c4c595f4d4552474544227d	\\x0000014b000001ce	block 7425afc6ac684b89
2	23	1	activity-log	import	3-81000002	\\x8c2707d024033132a8af18f1ab208b0bec6969a072fc6305461c0f42eeca1c02	action.queue.checks_start		1791244800000000	1789381500000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313530303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030327d	\\x000002f8000001ad	block 0cb939bb244996ac
2	24	1	activity-log	import	3-81000003	\\x2530444a279201993a06294fa143d2d50b1272e10f7bc15b0b37d2a920d0234b	action.queue.checks_end		1791244800000000	1789382700000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323730303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030322c22636865636b735f737461727465645f6174223a313738393338313530303030303030302c22636865636b735f656e6465645f6174223a313738393338323730303030303030307d	\\x000004a500000221	block 0cb939bb244996ac
2	25	1	activity-log	import	3-81000004	\\xfd60bf77a14b2d836669664049f568ba4e48d355be8c23beb216ad53c20947b1	action.queue.leave		1791244800000000	1789383330000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338333333303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x000006c6000001c3	block 0cb939bb244996ac
2	30	1	activity-log	import	5-81000001	\\xb1998772896430cbf52691d577614bffdb3f19c13003bc3bbd2aa45576ba6f63	action.queue.checks_start		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001ad	block d9b9e8a75e528a8b
2	31	1	activity-log	import	5-81000002	\\xa970888437349dde43290462481958e1d6857e77d7fcf2e5fa447dc0f5d0cf29	action.queue.checks_end		1791244800000000	1789380600000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303630303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303036303030303030302c22636865636b735f656e6465645f6174223a313738393338303630303030303030302c22636f6465223a22434845434b535f4641494c4544222c2269735f61626f72746564223a747275657d	\\x000002f80000022b	block d9b9e8a75e528a8b
2	32	1	activity-log	import	5-81000003	\\x878ffdd2cf0f5e16e540bf74e3a7bff96da19016d9eb078728a75a06cb82e7b0	action.queue.leave		1791244800000000	1789380606000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303630363030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a22434845434b535f4641494c4544227d	\\x00000523000001c8	block d9b9e8a75e528a8b
2	33	1	activity-log	import	5-81000004	\\xefa70f1c03b9833bd747aad30758df0934d7ee9892e647c579507088ed46a118	action.queue.enter		1791244800000000	1789381800000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338313830303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338313830303030303030307d	\\x000006eb0000014b	block d9b9e8a75e528a8b
2	34	1	activity-log	import	5-81000005	\\x069792ed26d85feba5b21351f2776ff4aaacc480af41d4c65d2b2ada2f4e5bdc	action.queue.checks_start		1791244800000000	1789381860000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338313836303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x00000836000001ad	block d9b9e8a75e528a8b
2	35	1	activity-log	import	5-81000006	\\xb5c991257a1117b69924e6178f07e8fdada4c13fc84a358054915d6358068c0b	action.queue.checks_end		1791244800000000	1789382400000000	t	\\x077b226964223a38313030303030362c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338323430303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338313836303030303030302c22636865636b735f656e6465645f6174223a313738393338323430303030303030307d	\\x000009e300000221	block d9b9e8a75e528a8b
2	36	1	activity-log	import	5-81000007	\\x174474452189664d7b55f02f59a811e5e32d3ca58998c5d6ef99d3a6a151ecdb	action.queue.leave		1791244800000000	1789382406000000	t	\\x077b226964223a38313030303030372c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338323430363030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338313830303030303030302c2262617463685f6964223a2259222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x00000c04000001c3	block d9b9e8a75e528a8b
2	43	1	activity-log	import	7-81000001	\\x9d7f57b222c672c9aa91f9339abd1e927c1a3f87be8676f13b38fc60cbf2f6e6	action.queue.checks_start		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c22636865636b65645f6e756d626572223a393030317d	\\x0000014b000001b3	block 204cfd599a35e375
2	44	1	activity-log	import	7-81000002	\\x8d56b4fa54a4fbfcae7b5f7d0c6720ac659e6fd6f797b4a1f5a12aead007a2a4	action.queue.checks_end		1791244800000000	1789380600000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303630303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303036303030303030302c22636865636b735f656e6465645f6174223a313738393338303630303030303030302c22636f6465223a22434845434b535f4641494c4544222c2269735f61626f72746564223a747275657d	\\x000002fe00000231	block 204cfd599a35e375
2	45	1	activity-log	import	7-81000003	\\xe5494a7bf6edfc5ecabbc20a694e5fd7919a15fc37921d8ea90148b796733055	action.queue.batch_bisection_start		1791244800000000	1789380660000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f7374617274222c2272656365697665645f6174223a313738393338303636303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c226465707468223a307d	\\x0000052f00000181	block 204cfd599a35e375
2	46	1	activity-log	import	7-81000004	\\x3ac2c4375b2504a83077f6b2542f959372d570d7812c7c1396f11a37672279b8	action.queue.batch_bisection_end		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e62617463685f626973656374696f6e5f656e64222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c2262617463685f6964223a2258222c226d656d62657273223a5b312c322c332c345d2c2263756c707269745f666f756e64223a747275657d	\\x000006b0000001a7	block 204cfd599a35e375
2	47	1	activity-log	import	7-81000005	\\xff0a73b803fc29b6aece4d5b7125dbc1babf06dbcd7044cb8ffeaa8f33989385	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2244524f505045445f42595f424953454354494f4e5f454c494d494e4154494f4e227d	\\x00000857000001db	block 204cfd599a35e375
2	48	1	activity-log	import	8-81000001	\\x7c9f9a513b64829a80870baa251856bc51427eec77c50301e658623060e63ba2	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a2250525f4d414e55414c4c595f4445515545554544227d	\\x0000014b000001d0	block e4c2c7423d31facc
2	49	1	activity-log	import	9-81000002	\\xaae26c011bad3b3c7c68a572c5318c646083ce6d971783af73f6605b174ba042	action.queue.checks_end		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303039303030303030302c22636865636b735f656e6465645f6174223a313738393338303330303030303030302c22636f6465223a2250525f4445515545554544222c2269735f61626f72746564223a747275657d	\\x000002f800000229	block 65d39a7dae9c1f59
3	13	2	github	webhook	delivery-013	\\x461fe3f4bec8bb51b031e853967f70b036d567f369ba40aab5985bac856d5ca4	pull_request	closed	1791244800000000	1789381200000000	t	\\x43f20c3cd3a580232e07e893a24a5d0343634c9f591a1a9998581840013c57591a5b181a2144717bde8898ac5d1b0b00	\\x0013ab460ad9e49cfc62b47035c21bae4658c2d588d87045d8060fd992a25242016b442060e1c611d00db19d8022a8494995a87e49cf2cc9284dd205cbea82136374527e49ec40c42a0ea70000	828da585fa213fff
2	50	1	activity-log	import	9-81000003	\\x873db1b8898ef1055cbdd4915e9e5d04a52b3341557cc0d2eb6d8ab96441c23b	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4445515545554544227d	\\x00000521000001c6	block 65d39a7dae9c1f59
2	51	1	activity-log	import	10-81000002	\\xb58d7e082d11663396b234ffd8c4d5a78802e0cb0d6187850c3c1ff7717453f4	action.queue.checks_end		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a224d455247455f51554555455f5245534554222c2269735f61626f72746564223a747275657d	\\x000002f80000020b	block 85bbf0c255978ba7
2	52	1	activity-log	import	10-81000003	\\x471e508f1e0f55b8e5df9ca794e2b13e0471cbfe623a79324196c191fa958598	action.queue.checks_start		1791244800000000	1789380360000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e636865636b735f7374617274222c2272656365697665645f6174223a313738393338303336303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030317d	\\x00000503000001ad	block 85bbf0c255978ba7
2	53	1	activity-log	import	10-81000004	\\x4139e60c0d6916a1744e2f0be126aa99305e2b78cbe5812ab87c7cf79cade9c1	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393338303339303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000006b000000221	block 85bbf0c255978ba7
2	54	1	activity-log	import	10-81000005	\\x367e9e708c1d7ff2da86bc1c50872775e228d10431872fc1980d60b213338acc	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2259222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x000008d1000001c3	block 85bbf0c255978ba7
2	55	1	activity-log	import	11-81000001	\\xb230dab64ff6574cc32104ccf6045eb84ec0e1b50ab7e7b790eb362202e7640d	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a22424153455f4252414e43485f4348414e474544227d	\\x0000014b000001cf	block 786dc8aa46c179e9
2	56	4	activity-log	import	11-81000002	\\xc80f5261e50cfa0d26d7b76701051df9769a7ccae6b4d60bf4ffcbef2717e3e2	action.queue.enter		1791244800000000	1789380060000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303036303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303036303030303030307d	\\x0000031a00000159	block 786dc8aa46c179e9
2	57	1	activity-log	import	11-81000003	\\xd09a51f4b896036a2681b058c65592372e8f1067d8cdaa873fc69ab2203814dd	action.queue.enter		1791244800000000	1789380360000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303336303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a312c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303336303030303030307d	\\x0000047300000159	block 786dc8aa46c179e9
2	58	4	activity-log	import	11-81000004	\\x55e65df6db6fd54da539314c8c702ef38bead4dfb501fbcf34d6ea4c476d5bb4	action.queue.leave		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030342c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2262222c2270756c6c5f72657175657374223a322c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303036303030303030302c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x000005cc000001d2	block 786dc8aa46c179e9
2	59	1	activity-log	import	11-81000005	\\x414df6d7b9b9c20278184e5ae277a498f6541d25cd739e57dbad4d63272eae82	action.queue.leave		1791244800000000	1789381260000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313236303030303030302c2273657373696f6e223a2263222c2270756c6c5f72657175657374223a312c22626173655f726566223a2272656c656173652f322e78222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303336303030303030302c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x0000079e000001d2	block 786dc8aa46c179e9
2	60	1	activity-log	import	12-81000002	\\xb046574149f735b1e8c4615f2250ecf0d866904c67c2274f7880da612c57e9ea	action.queue.checks_end		1791244800000000	1789381200000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338313230303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636865636b735f737461727465645f6174223a313738393337393934303030303030302c22636865636b735f656e6465645f6174223a313738393338313230303030303030307d	\\x000002f800000221	block ce204f64ef896d7a
2	61	1	activity-log	import	12-81000003	\\xbdf3c9fbf82e119e65e2c304b6594f6128c3b82a55362c4b54c930c0446f9977	action.queue.leave		1791244800000000	1789381194000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338313139343030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x00000519000001c3	block ce204f64ef896d7a
3	2	1	github	webhook	delivery-002	\\xa853af9daa2f843eca949352d94e9b38768d86795b6be8f7dc3f06b68092f500	merge_group	checks_requested	1791244800000000	1789380060000000	t	\\x75934b0a82410c834f24f43ded71a6f338800bc1db5b447e19c4669745e00bcd17e6dcc93b76d6bb3fd6fd7903a05fbc401271f8dc35ade0f2ec72ff378047057b81e698250972406a8e5d3776eaad8d4ce5f08560675528a0739b8d5c849190db582b87a7011b76e766692945fa02	\\x021f0300	a853af9daa2f843e
3	4	2	github	webhook	delivery-004	\\xf87f6e6bb3a02eec7636cb526dd452fa3ef557e1cfe7ece6ada032b8860e581b	merge_group	checks_requested	1791244800000000	1789380060000000	t	\\x75934b0a43310845575430c6f8598e26ba800e0add7d4329af84529ddd81700ede2fccd993f7d9b5dffd91f7e70d807ef1ac2191c267ae6a59df195fe97f037828f0258a39974f11a8c919e68c4954062abdc2a402394e55953062aebd64a8d050b4f9a8e6e822336274d36cc09bf405	\\x00c3aba6207924a6985b18a526a724269b9b1ba4259ba52659269a19a59a98a4591a58981ba725599aa72519992591953c8c74498905e4e441b23e529307b1fe0600	a853af9daa2f843e
3	5	3	github	webhook	delivery-005	\\xc1489b52edb3b83d1c85408f560b50eaf5ba6296261640d17369d2c7e7b43ab6	pull_request	enqueued	1791244800000000	1791244800000000	t	\\x437806910bc146a600937a596a51a5ae818129a6d72c0d8d4c4c2c0ca0009f3f8d410e4dcc4b47b8c5d218aed1c0a0361600	\\x0106ab2614b2c67843d6184bc81a0300	828da585fa213fff
3	6	3	github	webhook	delivery-006	\\x2b8fdc6682e751eda09d3c4c3a751a44f3e6eb2c19f0de8af46320c4a9bf5092	merge_group	checks_requested	1791244800000000	1789380060000000	t	\\x7593cb0903310c442b0a28b2a24f391e5b2a2087c076bf26840d2644c73908de63e60bb3efe4fd76aebabff279dc88f4172fee2ce2f4b96b5ad156a657fadf40db14c089abb934e2019642077591084b674271fa830cd855f569ce39661f66544313d19553a482dc5a21acc08a457a02	\\x00c3a5d2c10d80400844d18a4c08e002e5302b3461f37af6e46a0173f89977fee001276e7115e209d646825235c2caf97e85cb7732e0130fd9f230e79a474e33ea390a91834bb583dca411d6e081278fe5dd2a8fb7dd17	a853af9daa2f843e
3	7	1	github	webhook	delivery-007	\\x1acbc0e9e82ee19cb82fab05af2d512f8df40d4ba6e3b8afa6ddaf6b3f508dec	pull_request	dequeued	1791244800000000	1791244800000000	t	\\x4378069a49c1e6a500d379596a51a5ae818139a6bf2c0d8d4c4c2c0ca0009f270d9132bdb367bc9ba3a74f68902bd8ed8979e908e7591a5b1898c10cac8d0500	\\x0013ab460ad994541c215b949a580c51e2ec19efe6e8e9131ae4aa34c842dc70d085787a66494669922ed817bae0908d4eca2f890500	828da585fa213fff
3	8	2	github	webhook	delivery-008	\\x7013c2d7d11b15e07d075a5acc4868e020d3745675110e34c89672a381b17aa4	merge_group	destroyed	1791244800000000	1791244800000000	t	\\x7d93510ac34008444f5450b3bbea7174572150fa514aa0b7ef120a4d0964fc9fe10dce0fe63ca0dd7acc97dfe2f9be01c81951914a11f8ea8a970efb5f1f9bddd761af3de6d0830d168a3eac3343f616aed6284a4905e1255d399d9afff79501d5fb985794049058d06aa2913177f7baa804429bb81f	\\x009bab464a1e29408f14e557124e178929e61646a9c92989c9e6e60669c966a94996896646a9262669960616e6c6694996e6694946664964a50b235d52821f395d90ac8fd474418abff1a40b50d240a48bc46248e867e69525e664a62482f22500	a853af9daa2f843e
3	9	3	github	webhook	delivery-009	\\xc4d4106ac07992284536bdce659a2f029a91bdee71bdb549fcc765b3feb078a1	merge_group	destroyed	1791244800000000	1791244800000000	t	\\x7d93610ac2500c834f24d4bebab6c769de6b6120fe1019787bc7109c0c9603247c21f9c11c0fb4598f75f24b3edf17223f22fa95458cbe3ae36dbbffcf8f25eef388d716b3eb01465ccda41177b014021422ee9ac684e2b41b29f0df570c35ce3ea2ab52f529e131718a9493692bb81678c28afb01	\\x009b9dd3410a42310c04d01309218d4d729c4cdbc007515010c4cbfb3f2e14174a3d401633f3727fe3d1d720e7d3edb70b1871169342dcc092085088b8eb305ee7e0617b52e02f1765175d8d47ebd154295b1df0a83c44d2c9b4245c135cf1e962fa6ed6c54cee2f2e361a2f177179b6bf1caf71587a6c7ff900	a853af9daa2f843e
3	11	3	github	webhook	delivery-011	\\xb4fdab93b09f260aef5c861b92f2c6c7030acdb545b89ac17475c6434010c95b	merge_group	checks_requested	1791244800000000	1789380660000000	t	\\x7593410a433108054f5450a3c61c27463d401785debea1945f42a94b850733f8be30674fdeb1b1dffd91f7e70d107ff10612b3c167ae6a8d66a07a6dff1b6887025996b4c4bc5856384c49c2322c920ab231d3a33cfaa94a397101d83ebaea20335da539fb549566ad47e3cc599bf405	\\x00a3a5d2c90d80500845d18a4cfe041fcb616cc2e665edc2042d8097907bae1f3c40c98702492c5093c6903d827a0c081b74b28b85d8fec4631eb8bc6b6b942b8298210835d0793322cc8c6c73b9733c7994efaa3c2a7fbff0e837	a853af9daa2f843e
2	65	1	activity-log	import	15-81000002	\\xc01aae409e2158626043e260044b0f4b9615a9041f80fc233272346bd3825126	action.queue.checks_end		1791244800000000	1789380480000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303438303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a22494e5445524d4544494154455f524553554c54535f534b4950504544222c2269735f61626f72746564223a747275657d	\\x000002f800000216	block d169a3bfff15276b
2	66	1	activity-log	import	15-81000003	\\x8cef9a420ba43d8bbe07ba1841d6e558a2c1756ed0d8b82952790d16b2015f6e	action.queue.leave		1791244800000000	1789380540000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303534303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d45524745445f494e5445524d4544494154455f524553554c54535f534b4950504544222c2269735f6d6572676564223a747275657d	\\x0000050e000001e0	block d169a3bfff15276b
2	67	1	activity-log	import	16-81000000	\\xa60568baea0ec1d73b5aa6ea65bfbe4b90432a43e6f3fba747cce838f6f7a646	action.queue.leave		1791244800000000	1789385400000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338353430303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393336383030303030303030302c2262617463685f6964223a2258222c22636f6465223a2250525f4d4552474544222c2269735f6d6572676564223a747275657d	\\x00000000000001c3	block a60568baea0ec1d7
2	68	1	activity-log	import	17-81000000	\\xbcccfc37f70ba36cdb7bf97524449343020166b632f536394a1d3e43bb8d3bd9	action.queue.enter		1791244800000000	1789380000000000	t	\\x077b226964223a38313030303030302c2274797065223a22616374696f6e2e71756575652e656e746572222c2272656365697665645f6174223a313738393338303030303030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030307d	\\x000000000000014c	block 52f4f8453a4660d6
2	69	1	activity-log	import	17-81000001	\\x592e0ee8062631c16897458c0db8fa9de996883e87555cf574f015b7cf2e6885	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a2250525f4445515545554544227d	\\x0000014c000001c8	block 52f4f8453a4660d6
2	70	1	activity-log	import	18-81000003	\\x3503a7bf2d72478d344c09e30e22aceb655355d54a42707df755ab93e544952c	action.queue.leave		1791244800000000	1789380606000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303630363030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c22636f6465223a22434845434b535f4641494c4544227d	\\x00000524000001c9	block 2a9502e18ee051d0
2	71	1	activity-log	import	18-81000005	\\x35607224d72e589bc648e63284a8231d1d7442764bdb9bf53abc714430c1bdf9	action.queue.leave		1791244800000000	1789382406000000	t	\\x077b226964223a38313030303030352c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338323430363030303030302c2273657373696f6e223a22222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338313830303030303030302c22636f6465223a2250525f4445515545554544227d	\\x00000838000001c8	block 2a9502e18ee051d0
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
2	82	1	activity-log	import	20-81000001	\\xc6147231473fc5b73fd1d922b71321c1aa1835a485b527b743b73a37761f0600	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030312c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a225441524745545f4252414e43485f4348414e474544227d	\\x0000014b000001d1	block 7cb207d80de5b4c9
2	83	1	activity-log	import	21-81000002	\\x1523ae8f5f324eb1f42fc8fc3cb74e15cecc32bba0a4ca6763ed0220a2bb25e2	action.queue.checks_end		1791244800000000	1789380180000000	t	\\x077b226964223a38313030303030322c2274797065223a22616374696f6e2e71756575652e636865636b735f656e64222c2272656365697665645f6174223a313738393338303138303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c2262617463685f6964223a2258222c226d656d62657273223a5b315d2c22636865636b65645f6e756d626572223a393030312c22636f6465223a22534f4c41525f464c415245222c2269735f61626f72746564223a747275657d	\\x000002f800000205	block 80aabccc3b927905
2	84	1	activity-log	import	21-81000003	\\x7740ffa5665577f30c7f2f6d7de3b9d95817b5e333d265a6f3803d037c99562e	action.queue.leave		1791244800000000	1789380300000000	t	\\x077b226964223a38313030303030332c2274797065223a22616374696f6e2e71756575652e6c65617665222c2272656365697665645f6174223a313738393338303330303030303030302c2273657373696f6e223a2261222c2270756c6c5f72657175657374223a312c22626173655f726566223a226d61696e222c2271756575655f6e616d65223a2264656661756c74222c227175657565645f6174223a313738393338303030303030303030302c22636f6465223a22534f4c41525f464c415245227d	\\x000004fd000001c7	block 80aabccc3b927905
3	1	1	github	webhook	delivery-001	\\x828da585fa213fff3d61a22e0966f9bf6e2b88c6b88c7ef33fb627edf9768b23	pull_request	enqueued	1791244800000000	1791244800000000	t	\\x437806910bc146a600937a596a51a5ae818121a6d72c0d8d4c4c2c0ca0009f3fc1e19d98978e708ba5315ca381416d2c00	\\x015a0300	828da585fa213fff
3	3	2	github	webhook	delivery-003	\\xeaa61ed461ff7520ef27870f90a2e04c0430db6344737809f3cf87157d30b4c1	pull_request	enqueued	1791244800000000	1791244800000000	t	\\x437806910bc146a600937a596a51a5ae818131a6d72c0d8d4c4c2c0ca0009f3f8d400e4dcc4b47b8c5d218aed1c0a0361600	\\x0106ab2614b2467843d6084bc81a0100	828da585fa213fff
3	10	2	github	webhook	delivery-010	\\xa089cbbe581682bc1812d1a7e7c29e6e347ed9fd6bbb0e37b49a91357f3db3c0	merge_group	checks_requested	1791244800000000	1789380660000000	t	\\x7593510a033108444f54d06866cd71623407e847616fbfa1942da1d44fc181f770be307b4fdeb1b1defd95cff3414cbf788d8baad167ee6a353102eeed7f036553004d1e44961e0eb462863191fde8401593234433fbdc55b1528d090ccfc2cdc927a4561f122001f7750787eb22bd00	\\x00a3aba620799899a41a261b1858a426a52499990143cac22c39cd2c35d13cd1ccccd418180b29c626a9a9896964250fa3c19b3c48f1379ee4610800	a853af9daa2f843e
3	12	2	github	webhook	delivery-012	\\xe3f072274d5066bafac1001a0c40393d566ec8278467f5f85a1e7ee0dc44be84	pull_request	dequeued	1791244800000000	1791244800000000	t	\\x4378069a49c1e6a500d379596a51a5ae81a111a6bf2c0d8d4c4c2c0ca0009f278db064fae48cc4bc7484cb2c8d2d0c8d6066d5c60200	\\x0013ab460ad994542c216b04766962314489af6b90bbab12dec036c212d846340d6ca34117d8e9992519a549ba605fe88203353a29bf241600	828da585fa213fff
3	14	3	github	webhook	delivery-014	\\x4963fcddf2f3623e403faafa7fe8568a7896fa50e498159412ad23f855b9a796	pull_request	dequeued	1791244800000000	1791244800000000	t	\\x4378069a49c1e6a500d379596a51a5ae81a109a6bf2c0d8d4c4c2c0ca0009f278db164fae48cc4bc7484cb2c8d2d0c8d6066d5c60200	\\x0013ab460ad994542c216b0c766962314489af6b90bbab12dec036c612d8c6340d6ca34117d8e9992519a549ba605fe88203353a29bf241600	828da585fa213fff
3	15	3	github	webhook	delivery-015	\\x0a23f8c3c3a95a6bdb271e047a38249fd1c9bad3e44bf2219d389f381c6dd684	pull_request	closed	1791244800000000	1789381200000000	t	\\x43f20c3cd3a580232e07e893a24a5d0343534c9f591a1a9998581840013c57591a5b181a2144717bde9898ac5d1b0b00	\\x0013ab460ad9e49cfc62b47035c61baec658c2d598d87045d8060fd992a25242016b442060e1c611d00db19d8022a8494995a87e49cf2cc9284dd205cbea82136374527e49ec40c42a0ea70000	828da585fa213fff
\.


--
-- Data for Name: dictionaries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.dictionaries (repository_id, id, made_at, body) FROM stdin;
2	block 183e06c60fa04d55	1791244800000000	\\xdd554b6fdb300cfe2b05cf4e67bbddb0fabca2a70143d143b1611068894e84da92ab478b2cf07f1fa504589a66f10e3bc5f0c5264dcadf83dc8056d07caeca7c1510d62341032883b6e6f23952a44b32811c14e048927e212530704a5dd69f16e5cda2ba7ea8caa64cf7774e0a4e2f979cdec0406e4917b9c4854e250cf6b9ca68bd0ed6ad739f8116d6b53a7ce8d1a8dc668c7d2f1cf1879efb5405b4e8895f74a9266ac3356c0cd20ee9a0866270b9ee40011506846603ad4323577ff2f32184c1fc89a20e631fb8cce8b4753aac858b3dedc286bb17e0c97b064024700039355738f5e7d3b4d987b23e0ea55c917cf2c20774e9002711adcf1bd116835c6d017efc178099949164ec31b006450652bc95ca064c1cdaa4bd9bb264ddec47c536e4a1f951fd9c0ec8ba3a4916193543557de6e23fa00a5beb02b1333aec3d15909f85b48a0db9b5cfac5bfe239905ec9bea2fd3a96eaef274daa532a5c713774c1e0ae4fab840f2849b154775de3e9ee5fac06c1f8f63d913bed09ccfce1c4a95965ee4e196ad04dfeec5d7dbfbbbdb2f0ccb4e6a4d70911d378b795a9a6fc6ab27698df2e21575d066293aeb84673728de7cd09469e3bd4fe81cd1af149ea6df
2	block fbdd04c08c8c6453	1791244800000000	\\xe5584d8fda3010fd2b2b9fc336095b0a3977b5a74ad5aa87aa556539ce04ac4d6cea8fad28e2bf77ec202d4dd9e4b020ac82b8802763fbbd79cfe36c89a84831cfd2f04988ddac811484712b94bcfde9c0c12d480b9a24440307f10c15651643f2349f4dd2c524bbfb92a5458adfd9370cb25a2c97185e9016f4126e428a1be15348d6842c6b6584557a13e66961a27429ecbb86c92a4cb3764d4335e08306e7c912523203f847ed73322131877296abd62f5482b33ae46dc1b28a59468a2d2935937cf5121f1641250b8f545033d7584cb3d64269613754bb06f6c312674f8801631000eac1210c434386a19def76db432871d96f8032cbcf01657e7928cb3128fdce7b50e2b2df02e5fc1c504e2f0f251f851277de8312977d0c4abe02fe64a8b14c7b590cea3c47a99f03d148745e32cb579decbf8e01dc0161d6c05dc32c3a230d40d2bf0d6c4ba46b4bef888b34c55d1e8ed26ec890e27b96e4c9f4c7ae47d85dbc8445e2269111f63e5ec222f1acc8089b0d1206b21a31c4dcf73ed76388ac54da027645356b0c2424fca65c55d88c75add370a714a03aa96526e4f0f87aa53bcd8b6998791f8ab41e0fdcb3d9b7e10fc78ba401f60c63f591fddff551f946dde1d1174a807c7ea49fee1f1fee3f222ce10280a562b5c34a19ae8b7077e8598301ae6465e82f26ac904b5a2b4d0d325861b74e8ad477e9ff06d41ae0b71fee9da4f3e314be14c4188fe7d2799ce7e875ea7c71bc482eaaf348eae3343aef2eb667d47986b63070c5b9e0791e67fb75953acf5e793b73519d47521f27d27978eb72629dff01
2	block b3076137a11d2551	1791244800000000	\\xed564d6fdb300cfd2b85ce4e27bb49b1fada06db300c18b21e860d85204b7422cc96327d74c802fff7d14a96a55e66bb971eda19bed8a249fa3d3e925ba224c95fa7345e09f19b35909c70e195d1e7df03043807edc192845810a0ee4132eed124a3d9e5845e4dd2e96d4a73dade5fd0c85bb55ca2794e6ab04b388b2ece54eb42f32a7a591ba7bcb19b18a78689b185f2af2aae650cb30e55c52ce0870ee3a40929b8037c51b63eb9d2e8c3042f4cdd26aa21781bfdd6e0b9e49e937c4b0acbb558fdb18f4930cde327124a1e2a8f6ed65619abfc86d950c1fe5863f48438700e01602d3884a369f4d0f7e74db33d8612d33e05a55881f8e698f3dcb609f4223a7dde8816dc8bd50ee0cf63004652d62042c53dd6208b40b287a5b2253ad4455b7b57942201c7a76c77e448fe35bd6b3a6465bd6481960354652f8b2a5e18eb0195e16d8084c447268c6cf578fd767efdfe135bcc6f17efe6374fcc6b428ef5f58f46f59babbd29b27bda704f6ab7562e7a6b658cb0b3d97f613f9c198f12368a75b4b0a7bd640d0b7bfab2a83a08bbe495eb287b371707c7e023bb741f9963d47cd0d2909af74c76d53c3b5d2015f07b1868fab3597ef19c371ed96e600127edaeb17f5cb00ff3c59bd8d3e36677e8ff236aa233eb1d08a3a5633fb8f24a2f59692c73c8a0c4358ce4b45dbffe36282dc04f3cbea4b4697e01
2	block 0cb939bb244996ac	1791244800000000	\\xed55c16edb300cfd954267a7b3d3a4587d5eb1d380a1d861d85008b44427c26cc993a80e59e07f1fa5045b9206498addba19bed8a449fabda7c7b5305ad46fab325f85a0d580a216a0c8387bfd3d62c46bb4845e14c2a342f3845a0271cab49cde4ecabb4935fb54957599ee2f9c44de2c169c5e8b1efd02af72892b934a58e87295c10543ceaf729f1e27ce3786de7460756e33c4ae931ef9c3c07daa423410905fb4a92618cb355c24e5fa34a8c5483ed7ed91400381a8d7a2f160d5f24f7e1e425ac89f686c2176c465066f9c37b4923e76b80d5bee5e888021300032812380537385537f3e8eeb5d2879ec6350aa25aa6f4106029f063889e8ec7523da00a9e506e0cf9700cca40ca86207c41a941948b92f95b5b0b16f92f6eeca9209d88dca4d2888fa6bf5381e9035fd6bb2a6f3ff64edfbc08bc862022e26ebe6245968f5997335fbb7a882c67942b6b116ba8085c8cf5239cdeeb9f1bab3d6f6c293778acc42ec3ae0f155f2fb2c6d5399d2e3895b260f4ff3ecb8403a84273ca38df9bcbe79cd5b4ca7ad1ad93d33fde2e383fc70fff0fefe1dc392b735cb847c64955ca08903ff0ea89cd541fe0043c62e64ebbc0ccca0e6d52aea32add4e709ad47fc99c2e3f80b
2	block 7ceb176123384df2	1791244800000000	\\xe5554d8fd33010fd2b2b9fd3c5c9b688cd75a900212454f680402b6b624f5a8bc42efe5854aafc77c66ef68352b57b401cd8dedc79f64cde7b33b3655ab1fa55c9f3af6061b346563390415b73fe3d62c473b942f9cd0b348a15cca1447d8b4a40205cc5ab97137e3929a7d725afab69cdf9170205a7974b7404e8d12df12cbf73a64d4067a0cbafacadd7c1ba4d4ed6e3c4ba4687171d1845f70ab68e5d271cd2454f79ca8235e091fe68d39ba00d416c0cd2f6a95a8331b8fc6e8f01140460f596350e8c5c3de07311c240bea2b085d88594c969eb74d808173b1cc386b217cca3f7c482480c3120680341ae76c7cf7484c6ba80140c2ee27814d2aa54d2d5dbf9d5fb4f6231bf5ebc9bbf2670ce7e9035ce47d6fc1a65ec2010bd22732e7e6761cb4cec9b44eb25e744c9e3a8d8853cabbf9637051b25f301528587b4e2775a3da87b18388a3a0cc3f6b15728ff11afe4c4f4d547dd327b566ef9db06a88e18605f2cc21e11eb74634f9f9754f78ddd42e7f73a7b371afea5984fe9e6ea4ea053dd3c2ab96f908bc306e9106ef1441bcf66f5c5ff3cf4555a429126f26eb07f5c880ff3c59b3cd3f372bb9fff4ff0c4de02f128ad515efc001db4598ad63ae14941459b88d53c6da03f01ad43fc99c2c3f00b
2	block d9b9e8a75e528a8b	1791244800000000	\\xdd564b8fd33010fe2b2b9fd325694b6173434b790890d0c2818790e52493d622b1831f8b4ad5ffced84d4b36649320018754bdb49e8c9def319ff78467247e1c85fe1310b3ab80c484a5864b71f9cd82854b10061409888214f82d6494192c9987f3d52cbc9a45cbf7511887eefb098b8ce29b0d96c7a404b5810bdfe282bb168215be4b25353752edfc3e25cca44ab879503091f96d2a5b1454013ea8719f282009d3807fe4ae27e3027b486b5259ba830ab046f9be25189631c348bc27896222ddfeaaf787a082f94732c8992d0cb6a914978a9b1d55b6807a59e0ee01d1a03502401d388461a9efd0f7e687c3be09251ebb0bca740be9574db561ca1da017d168da8826cca4db23c01fc6008ca45490da8219d420f540d2bb52d91361cbc469ef2a0c9180e62a3d2e69127f8ebe1c5a64cd7bc902910d50e5f53f61f1b7a862895406d01946590888ff495399393f5ebf585fbf7a479f3d79f97afdf43fd31a90a6bdee99532757d5a5486e7761cd695b2a8b6ea914c06e61844a56135649e646b6456b762bc1c7018a26678546d50c0e5437f7ef4c080da91499a6df19375c6c682e15d5486386c39bc4a11bdabf17e40ae0875b6e597ed9cde398a85b4c38ea925ecbd66fde82f26137944d2f0e38637132e5042f0f0ed186903ff6027cbe45fdb3a85bf592351c75cb898bbf45d539eaeaa9d5ccbae34d71c41cfb6b648e09b8b3978602ae66b21d708fba053226e05cc7a9069cb3712be0deded037eb9be7fe9a730ab7e38de87e4d9cb3a3a5b3aee8fa936cfb09
2	block d836c66bef039c4d	1791244800000000	\\xe556cd6fd33014ff57269fd3918481686e85750c092434edc2a6c972ec97d65a62077f0c952aff3bcf4ed585ac6a7b618712e512fbe5d9fe7d3cbf359182141fb2343e0971ab164841187752abf39f1e3c9c83726048420c70904f2028731892a7f9fb493a9d6417b7595aa4e1bdc32067e46281e10569c02ce02ca6389321856275ccd26a2b9d36abb84e03136d4ae9ded44c89b84cebeb9a1ac01f2dae9327a4641670a00a39995498437bc7751336aac03b13f336e098608e91624d4ac3145f3ec7c74d50c5e22f022ae66b87695a23b5916e458daf6133ad70f58458b01601a0011c526268ccb0efe45db71e4299ed86922f813f5a6a1d3361037b11cd4e1bd19239beec01fe710cc0484a0bdcd7cca106690492fe2d953551be2983f6a6698a040c67693f6549719f3f7423b25063bb74bf210b943844d5f4bfa28a95da38406738e32121f193722d821f3fce6e3f5dd3d9f57c7649af665fbece2f5f99db840c3db62956bda99ff91c0c8fb5f076af168e316eac86275c0a07c60da73c5819ffa1712ff69275d8b8f989df5a23aab6c6ad586d47ceed2df29a64ee74eaa8add87ae9857747811b26c76e7eb75b2035b0273850d4f313bf7f45e8b03cdea47de1fe7e43bfcd6f3ec77a1d3bb76d7d3f4213239d59e05a094b7f31e9a45ad04a1b6a9141816d1629d2d05ebd0ca80cc0ef30dd757f00
2	block 204cfd599a35e375	1791244800000000	\\xdd56db6eda4010fd95689f4d6a135a357e4b80aaa869123579e845d56a6c8f61557bd7dd4b5a82f8f7ce2e44dc5c40ea4325100fb6773cbb3e67ce99993151b0f46d12875fc4ecb4419632c8ad50f2fca74387e7282d6a16318d398a272c38580ae9c6dd379df8b293f41e93388dfdff2b05592dc6630a4f598d7a8c6721c599f0292454214ba38cb04a4fc33e357694ce847d55812cc2368dab2aae915e34b44f12b10c0cd283d2e704212987723657b53fa8446775c85ba385022cb074c6320d329face2c321b884f04a8125b8ca529a460ba5859d72ed2a5c2e4bda3d62068d2100b807870185860cfbbe7c3e9fad4349c76e83329f60fec3706341fb03ec4534396d4433b0f96401f0e7630026521acc5d05966a900720f966a9cc987475e66bef328e8980f555be58322cfd9644dde822ea7d9f6f51d6dd4b19cae200614105272c812dc22053da22e9c36a87110bb73c57855765fffdb0ffe181bfbb1add0c07ff85dc88ad4bed2f9ef5a2b0652851dc1eb86476bb602eda0b668153260c06133d4aecc9cb514ec33e571f5f6063c988e3164bddaa2772e2b1a016c117cf1bdd2ad90d93ed1d47c061e9764f0b7e72496a6d9697ca916b2d055ac36f5e82a89cf6cdd4a8caf9164f9740e54f5125548674bcd3f9fe9da6d7ed3455084f78c0534f8c981d700b3fe6386a670bdf1c7cbabbbf1f0ef8f5177e3d7a18f61f4777b77c7833fa38babdf2d7845698aa56741d9c4bfcf8b4d168c996942c0cff05c20a39a622d1dcf812a0196829d4dd8052233efbe5f9fc0f
2	block e4c2c7423d31facc	1791244800000000	\\xdd92414b03311085ff4ac9795b778b8aeeadd0deaaa8d8835ec23499dd06b2c99acc566ad9ffee24280a4af16cc829f3f266f2bd1c85d1a2beaacabc0a41871e452d4091f16ef632e080337484411422a042b3472d8158322fe797d3f27a5a9d3f56655da6fdcc220aa66d595e8b0e438b936c3131c9c281cd2ebd8f867c38e43e1d4e7dd81a3ab3e0746ed30fd6ca807c31729faa105b88c8074df204e3d8c30fa47c9706753850c8be1d12682010f5516c0338b5fbd2e721a4837c4563038325b6e983f1c1d04186c1e247d971f742448c9101c80447004bb3c3a9978fe3f13b4a1efb379416618f19c2099417ff1ba54ed10e2895d729c1bb0779b3b8dd2cd6eb27b95cdd6f569bd59209e5dfc3f41bb011ffc03f7d1352bb9cd86786ca3b1de52b1832ae958d0f32aa1d6a0e5bd4650af9a7a009886fa93c8eef
2	block 65d39a7dae9c1f59	1791244800000000	\\xe555c16edb300cfd958267a7b3d36d587d6eeedbb002c38641a0253a116a4b9e4475c802fffb28a5c0d2364d77daa1357cb14991f47b8fcf3bb006da0f4d5dae0a783b11b4809aad77e73f13253a27c714a082409aec2d19852c29cb7af97e515f2e9ab75f9abaadf3fd4d9238d8f55ad25b1829ace9ac9438b3b984c3a154997cb4ecc3b6f41969e14367f9cd80ce9436531a0615480e46e9d354d0612479d1e79a689dd4f089b51ff3a08e128752772446838cd0eea00be8f4e66f7e1942392c470cf59806963253b03e58deaa9006ba0b3be95e41a418050095c10194d452e1d497cff3ee104a19fb18947a43fa26aac818f20027116d5e36a21db2deec01fefa2f000b2913e934208b06550152dd97ca0e5c1abbacbdcbba16020ea36a1f8ad07e6f7ecc0fc85a9e248b9c798eaa77af8a2aec7c6092cde090a882f2a8b437791f3f7e5657ab4fd7abebd5d57f26b582c3e57ac2a59af6a2b8d45daa50fb44e29ed18742b9382e9481f0965eb9464c36ec248b794c07e5572082e97188a29867cd347bfe3d7788a4bd3351fd42cbd6ad55ef838a42a211e386b6ce86fd38a10f44bf73789eff00
2	block 85bbf0c255978ba7	1791244800000000	\\xe5564b6f9c3010fe2b91cf6c0a2459359c8b7aaad46e13a90f5596b1875dab60533f526d57fcf78ecd2aa164c5eea1ca6183b8c00c63f33dc6b3235290e26d96c62b216edb012908e34e6a75f9cb83874b500e0c4988010ef20104650e53f2345f2ed2db45767d97a5451aee6f98e48c5caf31bd202d98355cc41217329450ac89553a6da5d3661bd76961a14d25dd9b86291197e97cd35003f8a1c575b28454cc02bea8434d2615d6d0de71dd868d2af0cec4ba2d38269863a4d891ca30c5374ff9711354b1f889809af9c66199ce486da4db52e31bd88715ae9e100bd6220034804318a6c60a737fdef7bb3194b8ed4350f20df09f965ac74cd8c02ca2d979235a31c73703c05f4e011849e980fb8639d4208d40d27fa5b223cab755d0de6d9a2201e3281d429614dfb31ffd84ac7c962c50e2185537af8a2a5669e3009de18c8784c447cab5087efc50aede97f4d37d795fd255f9b9bc7b616a1332b6d8be570d9ede0790ced1eba914ae66a570926f97af460c5f5f98dc2959d7b3641df76d7ee687d6a8c506aa1e7d5bb3c64e8c3b58e4e829f71f9bf041a74ea78a657115a78a67de9d24ee999c0ae4e6b0401a600f70a4a7e7677efc8a3060793c4887befd714563eb7e87b0c4c1edb1bd9fa08989ce2c70ad84a5bf997452ad69ad0db5c8a0c0298b146998ae9e27d406e04f08f7fd5f
2	block 786dc8aa46c179e9	1791244800000000	\\xdd954d4fc2401086ff8ad933605b85686f88442f1a839ebc6c96dd296c5276713f5024fc7767578980a421c14662d3533b3b337dde99b70b2205c92fd2245e0de2e653203961dc49ad5a2f1e3cb4403930a4410c7090331094390cc992acd34c2e9be9f9539ae449b89f31c819391a61784e2660467012539cc89042b13266996a2b9d36f35867024d6d86d29d964c895866eacb921ac08316eba40d326416f041117232a93087f68eeb496854817726e69d8063823946f205191aa6f8f83b3e3641158b470414cc970ed34c8dd446ba3935be84afd70aab3788056b11000d7008c3d098a1eacb97cbc53a4a6c7b17ca12d80c22840a94edff8d5204693d50ae4550f0aafbd8a75783ee7def96f66ebbf737fd6b04148707e117acb4b007fe30258e8fa3602b09b956c2d257269d54235a68432d1f8340ad499e048d7f061406e03dbcde9233db2de75e9b91d62427f6b4b6190670b62c9c66ad37c4b7f7826c1e3b6c4f86d57bf2c9610becd901603b3581ddb49c4d427f02965783fde4b005f67c37d87d0c28abcbcb8f7262b7ece86140effa834d1372c6577bd06ac56bf5a0f6018aae1aacf7ef7c24abf21b8aaebce5b715fd00
2	block ce204f64ef896d7a	1791244800000000	\\xdd55c16edb300cfd958267a7b3b36e587c5eb15381a2d861d83008b44427c26cc993a80e59907f1fa504589606490f3bc5f0c526f548bff7486fc01a683f3475b92ae0f544d0026ab6deddfe4c94e8961c53800a0269b2cf6414b2a4ccebf9fb59bd9835779f9bbaadf3fd559238d8e552d25b18292ce9a640dcd80ce1702828938f967d58973a23cd7ce82cbf19d09952664ac3a002c9c128759a0a3a8c242ffa8c89d609864facfd981b75943814dc91180d3242bb812ea0d3abbff9a509e5b01c31d4631a5860a6607db0bc56210db40f3ba95e41a418850095c90194d48270eecbb7dbcd2195d2f6292af58af48fa82263c80d9c65b4b96e463b64bdda11fce535048b2813e934208b07552152fd6b950db83476d97b8bba16010ea36a178ad07e6bbe6f8fc49a9f158b9cb920d5fccacd7f2415763e30c964f43844aaa03c2bed8d0ce46e7c2e4ecb7f14b382c3a13ab19dea45fb6eb19fa57daa487a2251d6d85ec96383bc3d6d9081f0992e78a391ea7757bc184d5ed44906b2c80f8f4feae1fee9d3fd47a1a5fc00c4261c92b8e4159e38f25924ed9d89ea175ab66ea97a1f5414058d6c6b68ebbca55f26f481e8770e6fb77f00
2	block 6f0c69cc6b0c7956	1791244800000000	\\xdd555f8fd3300cff2a273f7747bb4388eb33279e90d089070442919bb85b449b94c43934a67e779c6c12638ceda4e301a8fad2dab1dddf1f770bd640fbb2a9cb55016f26821650b3f5eefa4ba244d7e49802541048937d20a3902565592f5f2ceadb45f3fc5d53b775be3f481207bb5a497a0b2385155d95125736977038942a938f967dd8943e232d7ce82c3f1bd099d2664ac3a002c9c1287d9a0a3a8c242ffa5c13ad931a3eb1f6631ed451e250ea8ec4689011da2d74019d5effc82f432887e588a11ed3c052660ad607cb1b15d240fbb093ee15448a510050191c40492d15ce7df93c6f0fa194b14f41a9d7a43f471519431ee02ca2cdff8d6887acd73b80df3f06602165229d0664d1a02a40aa9fa5b20597c62e6befb6ae8580c3a8da8522b41f9b4ff31159cbb364913317a85a3e59fca3f76ef1773be0882fec7c60127bf43844aaa03c2bed8db872e7a18b96f9838c5670e8acdfaca8a6bd292b6a9f2abc9e4edcd379ac929bd32a19081fe892409eece57f402026afec24d62c1a80b7f7eacdddfdebbb57824df9158856382491ca23847124b648da3b13d557b46cdd4af53ea828341ad9dbd0d6795fff9ad007a26f393ccfdf01
2	block 7425afc6ac684b89	1791244800000000	\\xdd92414b03311085ff4ac9795b778b8aeead60f1d28a143de8254c93d96d209bacc96ca596fdef4e82a2a014cf869c322f6f26dfcb51182deaabaaccab1074e851d4021419ef662f030e384347184421022a347bd4128825f3727e392dafa7d5f94355d665dacf2ca260da96e5b5e830b438c91613932c1cd8ecd2fb68c88743eed3e1d487ada1330b4ee736fd60ad0cc81723f7a90ab185887cd0244f308e3dfc40ca776950870385ecdb21810602511fc5368053bb2f7d1e423ac85734363058629b3e181f0c1d64182c7e941d772f44c41819804c7004b0343b9c7af9381ebfa3e4b17f436911f698219c4079f1bf51ea14ed8052799d12bcdfc8f5e2ee71b15a3dc9f57273bbbc613ef9ef30fb066cc43fd04f9f84d42ee7f599a0f24e47f90a868c6b65e3838c6a879aa316759922fe296802e25b2a8fe33b
2	block d169a3bfff15276b	1791244800000000	\\xe555c18ed33010fd9595cfe9921484b6b9213542152caada222156c89a38d3d622b1833d5e54aafc3b63b782eeb26a397158a25ce299bc99bcf766b217ba11e54d91a72b13b4eb51940214696baebf050c788d86d0894c3854a8efb191409c32cec7af47f96454bc5a157999c7fb332791d39b0da797a243b7c1ab0471a523848136a1f4d66bb26e97ea7438b2aed6f4a205d3a4327d685be9905ff45ca7c8440d1ef9601d31411bc6b08194ed62a30603b984db21410304a2dc8bda8151dbdff9a9096920bdd2e01a424b0cd33b6d9da69d74a1c563d870f54c78f49e0990911c019c9a10ce7df930ec4fa9e4b69fa2526d517df5d213b8d8c059468be7cd680da4b607823ffd0dc12c4a8f2ab440ec419988940fadb217267475f4de24cf5980d3a83c84bc28ef8a2fc323b1c667c542d35c92eae6bf920a6aeb087932c805cc447a94ca36711e671f56d5e2b69acedeac2ab9a8961fdfaf9672f96e369f57d37fac72264ea7edb8b60ee37d0cb0b227c78f5df1f26957b408f778c91093e76d88266ee7c05378107dbe90b7d5e26d359517e44fbf845fc6b9b853e3ea7fb0243c2a6b1a2fbf83266d36726d9df42c66c3fb5b9479dcdb7f26ac1de28f181e869f
2	block a60568baea0ec1d7	1791244800000000	\\x6d903d4fc3301086ff0aba392d4ea92ac84cc584842a06c4625dec4b6ac9b1cbf95c54aafe771c0362808cb9e7fdf07b0667a1bb6d55fd1a90d381a00334e26258be65cab4f484478206980cb923598d5290955a6d16ea6ed1ae9fdbb6bb519d52af051276e3485c808978a4ab6a71e5821007f4d5e5109393c8a79a33d12272efe4da63b045d7c0217baf998a30959cb6811e13951fc3ec892e14246631719a8b06cac2d57722418b82d09da1670c66ffcbd7123a6095581a307b9993d8457672d29c3d7d9f43496f20514a65003d8f0358503bf7c9a44db473ecd34e3f6e770fdbfb72aaef2c9c70a6062af67722b5e9d63f13f52866ff65fd52f4894c0c36e97774e2c2a887c83a993dd9520a3af53f3030d1c77cbe5c3e01
2	block 52f4f8453a4660d6	1791244800000000	\\xdd92414f03211085ff4ac3795b771b35bae7f6aec65ebc9029ccee92b0b00e434d6df6bf0b6862134dbd4b38318f37c3f73809a3457bd7d46555828f138a568062e3ddea3562c4153a4612952054680ea8257092acebf5edb2be5f36d7cf4dddd679bf241193e9fb246fc588d4e3a2582c4cb670608bcbe483614fc7d267c4a5a7bde12b0b4e973653b45612a68b21f5692ab18780e9a0cb9e605cf2f091951ff3a00e2353f11d91410383684f624fe0d4f0ad2f434807e58ac60ea2e5643391f164f828295afc2abbd4bd12014348006486f379522c2e3d7d9e4fe72cd3dcbfb1b408072c142eb0bcf9e72c750e37a2545ee70c1f9ee466fbb8dbeeb69b44a67c9b84bd031bb0127f72cfff83d570165540e59d0ef20d0c1bd7cbce930c6a409d52166d9dd3fd29e808f13d97e7f903
2	block 2a9502e18ee051d0	1791244800000000	\\xe556dd6fd33010ff57a67b4e47d29589e50d6d452078e06bd2044296635f5a8bc40efe182a55ff77ce6ec74a16baf0c24389f212fb7c67ff3ece598392503e2bf2f464e0571d42095c7865f4e9b780014f517bb490814581ea1625e39e42a6f9f47c925f4c8ad9c7222ff3f87ea2206fd56241e125b468177892529ca89842f32665e98c53ded855aad3e2c4d84af9270dd73295e942d3308bb4d0519d22838a3ba4813ae6e44a530e13bc306ddca8c6e06dcadba2e7927b0ee51a2acbb558dec7a74d30cdd31289350f8da7349d55c62abf623634b89bd6543d0387ce11002c82b31d49290e1d7db359ef6349fb1ec2522c517c75cc796ee30e0e425a1c2da4c0e9ec15f7629910861bfa7c146062a543111aee49842c01c97ed7ca1a7468ab28be8b3c2702f667d976ca41f9b9f8b2e991353d48166af90855c900c7a9fe21aa7865ac47b286b70133489f4c18190d79f9727ef9fa037bf1fcd59bf9d53fa635837d7bfda151ddb96a174ae40e07ee38ed4be56c582a0df25b1ca192f3e354c9b647cad8b4037973580ae94220d5d4bc71249b1186efb50887c268e9d877aebcd20b561bcb1cf128a97d4399c7b6fd30a0b6883fe274cff3b36122c75c7667c77bd94175d0b3bb93f7a07c3a0ce5184fcc08caffc9136fdfb3abf9bbebf9756a8ea31df14b71f78eb8fb5179a8f8bfb1c44f
2	block d32627f12fe71377	1791244800000000	\\xdd575d6fd33014fd2b939fd391a4edd8f286c61008dee009842cc7b9692d5c3bf8035155fbef5c3bdd48a7aa0b2290a87d6aeceb6bdf73ee894f764454a4b8ced2f84b88db36400ac2b8135a5d7ef7e0e1b2648eaf69292cc4516a1d338e24c40007f1032aca1c2ec9d3fc6a96deccb2c5a72c2db2ac48d3cf18e48c58adc060c006cc0a2e62ca0ba11c18c564ccd2682b9c36dbb8ef0666da94c2bd904c55b82e218d97921ac08516f7c91252320b3850879c4c280cd1de71bd090757e09d897937e058c51c23c58e948629befe1d1f0f41158b4b2aa89997a1a0c6086d84db52e325eca715ee8e5b3e165f41e330539a100bd62248340048182e6f710a8fed22ccb51258246d271a4395df94602c29be6449fef5fe7ed7451f2beb833ea80af73a857d7e5ed8732f9118476bedb1f4c2190f0912ff93d64c486f422b582d7d6858fccbf81a30aa66d262d8d01ce5fd381a552178c6292aa4fc7b85ccfba13fa242c6c17e30850cc0d1a21f47a32a04fb688a0ae17fa89079b2787a872cfba13fa242c6c17e30850cc0d1d5718ef0dee2df6c2f7395a7ffc85c61fb8c208c834b1a8e8820dab5a336337d40c236801c33877e944624e9a16ddc91d67b91026bec4e753cd912d57468c95e9ea4ea7915cd1f8e37b40b9e2851acd4c605fbd59ab4f848b9ae8233bf7d7b77fbfe237df3eadd87bbd748f27f2335215d69ed3f575a87be9f40223bc34f9be0fa6413f4b9c89667dc06f594f47a7392aae7f41a3e9bcef7c57a8ca847bdee3f97ba826d15326595fe02
2	block 7cb207d80de5b4c9	1791244800000000	\\xdd92314fc3301085ff0af29c96a40204d94aa9daa943d589c5bada97d4926307fb5254aafc77ce16082450c58ce5c9f7fceefc3d9f85d1a2beafcabc0a41a71e452d4091f16efa32e080537484411422a04273442d8158322b677793f26152ddecaab22ed37e661105d3b62caf4587a1c5ab6c71659285039b5d7a1f0df970ca7d3a9cf8b037746dc1e9dca61fac9501f962e43e5521f610910f9ae409c6b1871f48f92e0dea70a0907d3b24d04020eab3d80770eaf0a5cf434807f98ac606064b6cd307e383a1930c83c58fb2e3ee858818230390098e009666874b2f1fc7f377943cf66f282dc21133840b286fff374a9da21d502aaf5382bbf976b5dcc9c7ed7cb358cbc57abe592d9f1851fe3e8cbf011bf10f01a47f42ea9023fb0c5179a7a37c0543c6b5b2f141467540cd698bba4c29ff143401f12d95c7f11d
2	block 80aabccc3b927905	1791244800000000	\\xe554c18ed33010fd95d59cd325e9026273e3c09e5642dae58040c89ad893d622b1833d5e54aafc3b63b72bca52b59c382c51142999f19bc97b336f0bd640fba6a9cb55016f26821650b3f5eef25ba24497e49802541048937d20a3902565592f5f2feaeb45f3f24353b775be3f491207bb5a497a0b2385155d14880b9b211c0e0565f2d1b20f9b5267a4850f9de517033a53ca4c691854203918a54e53418791e4439f31d13ac1f089b51f73a38e1287823b12a3414668b7d005747afd2bbf34a11c9623867a4c030bcc14ac0f96372aa481f66127d52b8814a310a0323980925a104efdf93c6f0fa994b68f51a9d7a4bf461519436ee024a3cdf366b443d6eb1dc11fff86601165229d06649941558854bf8fca165c1abb3c7bd7752d021c46d52e14a1fddc7c999f88b53c291639734eaaabff4a2aec7c6092cde090a882f2aab437791fefdfdfbebd5337f278f78f45ade070b9f62eb5dbe67d40843cf8fc7408ae8e0fc140f840e7f47ff5bcf537d98c932cdd318d8bcdcb30f438449986b34699fdfc71f31fcd567b67a2fa8e96ad5ba9de0715453323ae0c6d9dddf8cf843e10fdc8e179fe09
3	828da585fa213fff	1791244800000000	\\x7b22616374696f6e223a2022656e717565756564222c20226e756d626572223a20312c202270756c6c5f72657175657374223a207b226e756d626572223a20312c20227469746c65223a20224368616e67652031222c202275736572223a207b226c6f67696e223a2022696e6573227d2c20227374617465223a20226f70656e222c20226d6572676564223a2066616c73652c2022757064617465645f6174223a2022323032362d30392d31345431303a30303a30305a222c202262617365223a207b22726566223a20226d61696e227d7d2c20227265706f7369746f7279223a207b226964223a203730303130302c202266756c6c5f6e616d65223a202261636d652d6f726269742f6c616e646572222c202264656661756c745f6272616e6368223a20226d61696e227d2c202273656e646572223a207b226c6f67696e223a2022696e6573222c202274797065223a202255736572227d7d
3	a853af9daa2f843e	1791244800000000	\\x7b22616374696f6e223a2022636865636b735f726571756573746564222c20226d657267655f67726f7570223a207b22686561645f736861223a202266653035626364636463343932383031323738316135663161326137376362623533393865313036222c2022686561645f726566223a2022726566732f68656164732f67682d726561646f6e6c792d71756575652f6d61696e2f70722d312d31343035646636366362653231396230626636333535626333643630333631613833373662366234222c2022626173655f736861223a202231343035646636366362653231396230626636333535626333643630333631613833373662366234222c2022626173655f726566223a2022726566732f68656164732f6d61696e222c2022686561645f636f6d6d6974223a207b226964223a202266653035626364636463343932383031323738316135663161326137376362623533393865313036222c202274696d657374616d70223a2022323032362d30392d31345431303a30313a30305a227d7d2c20227265706f7369746f7279223a207b226964223a203730303130302c202266756c6c5f6e616d65223a202261636d652d6f726269742f6c616e646572222c202264656661756c745f6272616e6368223a20226d61696e227d2c202273656e646572223a207b226c6f67696e223a20226769746875622d6d657267652d71756575655b626f745d222c202274797065223a202255736572227d7d
\.


--
-- Data for Name: events; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.events (repository_id, number, key_high, key_low, group_id, stay, run, batch_size, id, type, happened_at, source, session_id, pull_request, batch_id, attempt, batch_pull_requests, reason, outcome, schedule_wait, freeze_wait, depth, culprit_found, max_failures_reached, thread) FROM stdin;
1	1	-2613095318637169739	4075086770918103553	1	1	\N	\N	demo-bedb3a-00000001	queue_entered	1791162008766493	demo	stay-bedb3a-2201-1	2201	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	2	2937985579674124135	-8019282160429797874	1	2	\N	\N	demo-bedb3a-00000002	queue_entered	1791162020824224	demo	stay-bedb3a-2202-1	2202	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	3	-8799356150235751120	6843751887544156614	1	1	3	2	demo-bedb3a-00000003	checks_started	1791162021219638	demo	stay-bedb3a-2201-1	2201	website-bedb3a-00001	1	2201,2202	\N	\N	\N	\N	\N	\N	\N	\N
1	4	6152967513523894346	-8017664542969193597	1	2	3	2	demo-bedb3a-00000004	checks_started	1791162021430679	demo	stay-bedb3a-2202-1	2202	website-bedb3a-00001	1	2201,2202	\N	\N	\N	\N	\N	\N	\N	\N
1	5	-1947340601494163506	4109527891171763352	1	4	\N	\N	demo-bedb3a-00000005	queue_entered	1791162032227769	demo	stay-bedb3a-2203-1	2203	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	6	-8518322254363728017	-5963582664849291871	1	5	\N	\N	demo-bedb3a-00000006	queue_entered	1791162034804603	demo	stay-bedb3a-2204-1	2204	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	7	1126104020250221712	-132482272895297861	1	4	6	2	demo-bedb3a-00000007	checks_started	1791162035647856	demo	stay-bedb3a-2203-1	2203	website-bedb3a-00002	1	2203,2204	\N	\N	\N	\N	\N	\N	\N	\N
1	8	8414994184787679437	618257560763484948	1	5	6	2	demo-bedb3a-00000008	checks_started	1791162036675716	demo	stay-bedb3a-2204-1	2204	website-bedb3a-00002	1	2203,2204	\N	\N	\N	\N	\N	\N	\N	\N
1	9	-308875163117788268	439023011056272512	1	7	\N	\N	demo-bedb3a-00000009	queue_entered	1791162036827318	demo	stay-bedb3a-2205-1	2205	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	10	-7874106809981378397	-9015558502547041224	1	8	\N	\N	demo-bedb3a-00000010	queue_entered	1791162040061614	demo	stay-bedb3a-2206-1	2206	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	11	-3062819227602348628	-2017375265855693558	1	7	9	2	demo-bedb3a-00000011	checks_started	1791162040422797	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	1	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N
1	12	4293319141789775906	-5038618734701069262	1	8	9	2	demo-bedb3a-00000012	checks_started	1791162041455915	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	1	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N
1	13	5681728371254864658	-2896462935246151293	1	7	9	\N	demo-bedb3a-00000013	checks_ended	1791162509044417	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	14	131895851484036168	-4947969559432012433	1	8	9	\N	demo-bedb3a-00000014	checks_ended	1791162509225168	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	15	1376264528724215127	-938200218019442084	1	7	10	2	demo-bedb3a-00000015	checks_started	1791162509797584	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	2	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N
1	16	4029346432644911565	-1143554543600899242	1	8	10	2	demo-bedb3a-00000016	checks_started	1791162510951683	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	2	2205,2206	\N	\N	\N	\N	\N	\N	\N	\N
1	17	9173528766251347071	-6776030819170693169	1	4	6	\N	demo-bedb3a-00000017	checks_ended	1791162511504816	demo	stay-bedb3a-2203-1	2203	website-bedb3a-00002	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	18	7563071074818784493	8313411884285507246	1	5	6	\N	demo-bedb3a-00000018	checks_ended	1791162511652631	demo	stay-bedb3a-2204-1	2204	website-bedb3a-00002	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	19	3090460146044363805	-4434522301553792564	1	1	3	\N	demo-bedb3a-00000019	checks_ended	1791162511803558	demo	stay-bedb3a-2201-1	2201	website-bedb3a-00001	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N
1	20	-726351468960635883	-8012147062502401207	1	2	3	\N	demo-bedb3a-00000020	checks_ended	1791162511944358	demo	stay-bedb3a-2202-1	2202	website-bedb3a-00001	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N
1	21	-4406038946515286344	-6089094898609791836	1	1	\N	\N	demo-bedb3a-00000021	queue_left	1791162512594498	demo	stay-bedb3a-2201-1	2201	website-bedb3a-00001	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N
1	22	6081978463380379471	-7601018783440201394	1	2	\N	\N	demo-bedb3a-00000022	queue_left	1791162514901352	demo	stay-bedb3a-2202-1	2202	website-bedb3a-00001	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N
1	23	-4833761105818842595	-5118996150345767628	1	4	\N	\N	demo-bedb3a-00000023	queue_left	1791162515706257	demo	stay-bedb3a-2203-1	2203	website-bedb3a-00002	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	24	-8858422906738165090	-1089719222308934037	1	5	\N	\N	demo-bedb3a-00000024	queue_left	1791162517937354	demo	stay-bedb3a-2204-1	2204	website-bedb3a-00002	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	25	-8187466916238054653	7143490576972176708	1	7	10	\N	demo-bedb3a-00000025	checks_ended	1791162746219391	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00003	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N
1	26	-117516267680013469	5707756324700550071	1	8	10	\N	demo-bedb3a-00000026	checks_ended	1791162746403726	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00003	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N
1	27	1899188054366430050	-62688284594475630	1	\N	11	2	demo-bedb3a-00000027	bisection_started	1791162746586680	demo	\N	\N	website-bedb3a-00003	\N	2205,2206	\N	\N	\N	\N	0	\N	\N	\N
1	28	1919112232148869653	2931516961936108976	1	7	12	1	demo-bedb3a-00000028	checks_started	1791162747269481	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00004	1	2205	\N	\N	\N	\N	\N	\N	\N	\N
1	29	-3352571097360601536	-8408980375533188696	1	8	13	1	demo-bedb3a-00000029	checks_started	1791162748092981	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	1	2206	\N	\N	\N	\N	\N	\N	\N	\N
1	30	4067674935426182038	943955956792219821	1	8	13	\N	demo-bedb3a-00000030	checks_ended	1791163270031995	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	31	-2037999245467357168	-5875758246577144618	1	8	14	1	demo-bedb3a-00000031	checks_started	1791163270659888	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	2	2206	\N	\N	\N	\N	\N	\N	\N	\N
1	32	-4316148533764111382	-5265005725527646784	1	7	12	\N	demo-bedb3a-00000032	checks_ended	1791163298806586	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00004	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	33	-4770572774520796554	334086092765155158	1	7	\N	\N	demo-bedb3a-00000033	queue_left	1791163299771739	demo	stay-bedb3a-2205-1	2205	website-bedb3a-00004	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	34	-7602683201945571754	5974580794183869945	1	8	14	\N	demo-bedb3a-00000034	checks_ended	1791163501893706	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N
1	35	-1499696443874503037	-1881249063160778697	1	8	\N	\N	demo-bedb3a-00000035	queue_left	1791163504036548	demo	stay-bedb3a-2206-1	2206	website-bedb3a-00005	\N	\N	CHECKS_FAILED	\N	0	0	\N	\N	\N	\N
1	36	4082055546866936736	7506746347575528676	1	\N	11	\N	demo-bedb3a-00000036	bisection_ended	1791163504054815	demo	\N	\N	website-bedb3a-00003	\N	\N	\N	\N	\N	\N	\N	t	f	\N
1	37	-3001409903607282634	-1272009557978100654	2	15	\N	\N	demo-bedb3a-00000037	queue_entered	1791176486621905	demo	stay-bedb3a-2207-1	2207	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	38	7844970074456124029	6367387140233607599	2	16	\N	\N	demo-bedb3a-00000038	queue_entered	1791176496219682	demo	stay-bedb3a-2208-1	2208	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	39	-5611308335570647542	3949281552669964694	2	17	\N	\N	demo-bedb3a-00000039	queue_entered	1791176592137955	demo	stay-bedb3a-2209-1	2209	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	40	-1571507947813627768	-6185626100919649964	2	18	\N	\N	demo-bedb3a-00000040	queue_entered	1791176662869370	demo	stay-bedb3a-2210-1	2210	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	41	-3963942062214897892	-4605792591338449860	2	19	\N	\N	demo-bedb3a-00000041	queue_entered	1791176673425593	demo	stay-bedb3a-2211-1	2211	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	42	6064855611278256332	8107132519061635074	2	20	\N	\N	demo-bedb3a-00000042	queue_entered	1791176678153558	demo	stay-bedb3a-2212-1	2212	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	43	-4722457951018577286	-1120193244304525802	3	21	\N	\N	demo-bedb3a-00000043	queue_entered	1791179772000853	demo	stay-bedb3a-2213-1	2213	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	44	5467819231135291506	-852267777528777050	2	15	22	4	demo-bedb3a-00000044	checks_started	1791180000597566	demo	stay-bedb3a-2207-1	2207	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N
1	45	1510063277684072794	-6639585182274224524	2	16	22	4	demo-bedb3a-00000045	checks_started	1791180001759075	demo	stay-bedb3a-2208-1	2208	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N
1	46	-5153264001765958018	-8964612372957164508	2	17	22	4	demo-bedb3a-00000046	checks_started	1791180002894172	demo	stay-bedb3a-2209-1	2209	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N
1	47	241986046145275261	-7064810862803434779	2	18	22	4	demo-bedb3a-00000047	checks_started	1791180003566289	demo	stay-bedb3a-2210-1	2210	default-bedb3a-00001	1	2207,2208,2209,2210	\N	\N	\N	\N	\N	\N	\N	\N
1	48	-6581901863014569032	1856183060572013654	2	19	23	2	demo-bedb3a-00000048	checks_started	1791180004744310	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	1	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N
1	49	-3791551351256223993	-1147962157464446501	2	20	23	2	demo-bedb3a-00000049	checks_started	1791180005025663	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	1	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N
1	50	825723678668563970	8281342245719612341	2	19	23	\N	demo-bedb3a-00000050	checks_ended	1791180511063032	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	51	1535344162191562384	-7647883811597359586	2	20	23	\N	demo-bedb3a-00000051	checks_ended	1791180511226706	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	52	-3065437507536398747	-622311372282998438	2	19	24	2	demo-bedb3a-00000052	checks_started	1791180512318365	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	2	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N
1	53	-5405812949218347523	-7868060735405020009	2	20	24	2	demo-bedb3a-00000053	checks_started	1791180513203727	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	2	2211,2212	\N	\N	\N	\N	\N	\N	\N	\N
1	54	9010277960850830449	-8250565654086169812	2	19	24	\N	demo-bedb3a-00000054	checks_ended	1791181390818056	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00002	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N
1	55	-2442422687057968868	335113884933212691	2	20	24	\N	demo-bedb3a-00000055	checks_ended	1791181390959344	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00002	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N
1	56	-7817955406891884950	8590076443825431590	2	15	22	\N	demo-bedb3a-00000056	checks_ended	1791181744545230	demo	stay-bedb3a-2207-1	2207	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	57	1039934530484189558	2856632317191991681	2	16	22	\N	demo-bedb3a-00000057	checks_ended	1791181744583749	demo	stay-bedb3a-2208-1	2208	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	58	-1944526075820413519	-8636874310093116353	2	17	22	\N	demo-bedb3a-00000058	checks_ended	1791181744769611	demo	stay-bedb3a-2209-1	2209	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	59	8970490070245219811	8466326388233307298	2	18	22	\N	demo-bedb3a-00000059	checks_ended	1791181744860080	demo	stay-bedb3a-2210-1	2210	default-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	60	-6946565656340755018	-4995793406747945816	2	15	\N	\N	demo-bedb3a-00000060	queue_left	1791181746562551	demo	stay-bedb3a-2207-1	2207	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3513378095	0	\N	\N	\N	\N
1	61	7890507000891164885	2781084774758269650	2	16	\N	\N	demo-bedb3a-00000061	queue_left	1791181748836311	demo	stay-bedb3a-2208-1	2208	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3503780318	0	\N	\N	\N	\N
1	62	5533186122179012373	-5026677204316084133	2	17	\N	\N	demo-bedb3a-00000062	queue_left	1791181749891923	demo	stay-bedb3a-2209-1	2209	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3407862045	0	\N	\N	\N	\N
1	63	-3642542115197111870	-8669402941607857197	2	18	\N	\N	demo-bedb3a-00000063	queue_left	1791181750415086	demo	stay-bedb3a-2210-1	2210	default-bedb3a-00001	\N	\N	PR_MERGED	\N	3337130630	0	\N	\N	\N	\N
1	64	2047431550849662282	-4040235034653017560	2	\N	25	2	demo-bedb3a-00000064	bisection_started	1791181750580645	demo	\N	\N	default-bedb3a-00002	\N	2211,2212	\N	\N	\N	\N	0	\N	\N	\N
1	65	-315680763046896601	7063187352291050064	2	19	26	1	demo-bedb3a-00000065	checks_started	1791181751284212	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00003	1	2211	\N	\N	\N	\N	\N	\N	\N	\N
1	66	8699252036369043828	-7945172198032315356	2	20	27	1	demo-bedb3a-00000066	checks_started	1791181751649640	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	1	2212	\N	\N	\N	\N	\N	\N	\N	\N
1	67	4242818260120090621	1854339020870133959	2	20	27	\N	demo-bedb3a-00000067	checks_ended	1791182729305377	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	68	220728682774708705	5376154396560511027	2	20	28	1	demo-bedb3a-00000068	checks_started	1791182730357864	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	2	2212	\N	\N	\N	\N	\N	\N	\N	\N
1	69	-7218026188611983473	199448102220745405	3	21	29	1	demo-bedb3a-00000069	checks_started	1791183600674224	demo	stay-bedb3a-2213-1	2213	release-bedb3a-00001	1	2213	\N	\N	\N	\N	\N	\N	\N	\N
1	70	-5395149069228303437	-5794910799597324499	1	30	\N	\N	demo-bedb3a-00000070	queue_entered	1791183602513675	demo	stay-bedb3a-2214-1	2214	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	71	-4912062836946202211	-1849782657797379181	1	31	\N	\N	demo-bedb3a-00000071	queue_entered	1791183624716958	demo	stay-bedb3a-2215-1	2215	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	72	2727057746179653684	589134340494201009	1	30	32	2	demo-bedb3a-00000072	checks_started	1791183624968078	demo	stay-bedb3a-2214-1	2214	website-bedb3a-00006	1	2214,2215	\N	\N	\N	\N	\N	\N	\N	\N
1	73	5983432213186723964	7581692274509355618	1	31	32	2	demo-bedb3a-00000073	checks_started	1791183625985950	demo	stay-bedb3a-2215-1	2215	website-bedb3a-00006	1	2214,2215	\N	\N	\N	\N	\N	\N	\N	\N
1	74	-4844907695046469544	-3394782666342494792	1	33	\N	\N	demo-bedb3a-00000074	queue_entered	1791183633962951	demo	stay-bedb3a-2216-1	2216	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	75	918220184672183168	-1825568757809246979	1	34	\N	\N	demo-bedb3a-00000075	queue_entered	1791183647900479	demo	stay-bedb3a-2217-1	2217	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	76	1747903247258743809	-1612511357824179407	1	33	35	2	demo-bedb3a-00000076	checks_started	1791183648179687	demo	stay-bedb3a-2216-1	2216	website-bedb3a-00007	1	2216,2217	\N	\N	\N	\N	\N	\N	\N	\N
1	77	7162551433602732325	7205089572363012014	1	34	35	2	demo-bedb3a-00000077	checks_started	1791183648440838	demo	stay-bedb3a-2217-1	2217	website-bedb3a-00007	1	2216,2217	\N	\N	\N	\N	\N	\N	\N	\N
1	78	-8479987812162351073	-3214273047625712162	1	36	\N	\N	demo-bedb3a-00000078	queue_entered	1791183663502982	demo	stay-bedb3a-2218-1	2218	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	79	-2209501933994999847	-9140408324289405354	1	37	\N	\N	demo-bedb3a-00000079	queue_entered	1791183671071279	demo	stay-bedb3a-2219-1	2219	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	80	7163835728205125843	-7282454076471080452	1	36	38	2	demo-bedb3a-00000080	checks_started	1791183671669032	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	1	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N
1	81	2285820873129733653	-3958897977837861727	1	37	38	2	demo-bedb3a-00000081	checks_started	1791183671963959	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	1	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N
1	82	6381929236797496390	5468517585914106312	2	19	26	\N	demo-bedb3a-00000082	checks_ended	1791184024372379	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00003	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	83	3612892445686624247	-3916907726790090831	2	19	\N	\N	demo-bedb3a-00000083	queue_left	1791184026538981	demo	stay-bedb3a-2211-1	2211	default-bedb3a-00003	\N	\N	PR_MERGED	\N	3326574407	0	\N	\N	\N	\N
1	84	-4945397603018951077	5487587105465376713	1	36	38	\N	demo-bedb3a-00000084	checks_ended	1791184094140055	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	85	-8392215221931534766	-8868817479712213675	1	37	38	\N	demo-bedb3a-00000085	checks_ended	1791184094319124	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	1	\N	\N	CHECKS_RETRIED	\N	\N	\N	\N	\N	\N
1	86	-5921608465068134071	6939022078653855430	1	36	39	2	demo-bedb3a-00000086	checks_started	1791184095468079	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	2	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N
1	87	4605382569514937324	7806468506936523298	1	37	39	2	demo-bedb3a-00000087	checks_started	1791184095970390	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	2	2218,2219	\N	\N	\N	\N	\N	\N	\N	\N
1	88	8173319543826791302	8008475814936570482	1	33	35	\N	demo-bedb3a-00000088	checks_ended	1791184123465886	demo	stay-bedb3a-2216-1	2216	website-bedb3a-00007	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	89	-7975987274774324724	1682525286627613326	1	34	35	\N	demo-bedb3a-00000089	checks_ended	1791184123478182	demo	stay-bedb3a-2217-1	2217	website-bedb3a-00007	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	90	-2905025446787387051	-2393656703819239902	1	30	32	\N	demo-bedb3a-00000090	checks_ended	1791184123607772	demo	stay-bedb3a-2214-1	2214	website-bedb3a-00006	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N
1	91	6296921365919607107	-1719084649185670597	1	31	32	\N	demo-bedb3a-00000091	checks_ended	1791184123714040	demo	stay-bedb3a-2215-1	2215	website-bedb3a-00006	1	\N	\N	INTERMEDIATE_RESULTS_SKIPPED	\N	\N	\N	\N	\N	\N
1	92	-2625960959845094452	2138226688618438869	1	30	\N	\N	demo-bedb3a-00000092	queue_left	1791184125160775	demo	stay-bedb3a-2214-1	2214	website-bedb3a-00006	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N
1	93	-2605243163474042269	7566234516186919541	1	31	\N	\N	demo-bedb3a-00000093	queue_left	1791184126197662	demo	stay-bedb3a-2215-1	2215	website-bedb3a-00006	\N	\N	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	\N	0	0	\N	\N	\N	\N
1	94	-8638379959991413909	-1414573054187956980	1	33	\N	\N	demo-bedb3a-00000094	queue_left	1791184127731172	demo	stay-bedb3a-2216-1	2216	website-bedb3a-00007	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	95	987183740827605301	-8947502113928170069	1	34	\N	\N	demo-bedb3a-00000095	queue_left	1791184128166883	demo	stay-bedb3a-2217-1	2217	website-bedb3a-00007	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	96	-297712738540288779	8116856092271541345	1	36	39	\N	demo-bedb3a-00000096	checks_ended	1791184714415715	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	2	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	97	-6645214328855517079	2334259966632769901	1	37	39	\N	demo-bedb3a-00000097	checks_ended	1791184714576035	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	2	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	98	-3560255896452324390	-1341833225744654110	1	36	\N	\N	demo-bedb3a-00000098	queue_left	1791184715479267	demo	stay-bedb3a-2218-1	2218	website-bedb3a-00008	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	99	8482620329766483603	-464452984285156694	1	37	\N	\N	demo-bedb3a-00000099	queue_left	1791184716651499	demo	stay-bedb3a-2219-1	2219	website-bedb3a-00008	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	100	-2474632530774023257	-6444539567417448058	2	20	28	\N	demo-bedb3a-00000100	checks_ended	1791184819466183	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	2	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	\N
1	101	8008747205125185331	-1913299134278321752	2	20	\N	\N	demo-bedb3a-00000101	queue_left	1791184820788474	demo	stay-bedb3a-2212-1	2212	default-bedb3a-00004	\N	\N	CHECKS_FAILED	\N	3321846442	0	\N	\N	\N	\N
1	102	-5005212698806719026	-3685386181261893551	2	\N	25	\N	demo-bedb3a-00000102	bisection_ended	1791184820938608	demo	\N	\N	default-bedb3a-00002	\N	\N	\N	\N	\N	\N	\N	t	f	\N
1	103	3787124001292517657	-1937915150466185922	3	21	29	\N	demo-bedb3a-00000103	checks_ended	1791186893869884	demo	stay-bedb3a-2213-1	2213	release-bedb3a-00001	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	104	5393703143018986764	741721687941924404	3	21	\N	\N	demo-bedb3a-00000104	queue_left	1791186895608915	demo	stay-bedb3a-2213-1	2213	release-bedb3a-00001	\N	\N	PR_MERGED	\N	0	3827999147	\N	\N	\N	\N
1	105	5439569335515950503	-9219044975475687306	4	40	\N	\N	demo-bedb3a-00000105	queue_entered	1791187255582807	demo	stay-bedb3a-2220-1	2220	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	106	104074762398114803	-7756154691578634654	4	40	41	1	demo-bedb3a-00000106	checks_started	1791187555832967	demo	stay-bedb3a-2220-1	2220	default-bedb3a-00005	1	2220	\N	\N	\N	\N	\N	\N	\N	\N
1	107	-4387440399614689987	-3027182834818283657	4	42	\N	\N	demo-bedb3a-00000107	queue_entered	1791187911799319	demo	stay-bedb3a-2221-1	2221	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	108	-4918145011694965878	-6853184784061580680	4	42	43	1	demo-bedb3a-00000108	checks_started	1791188212467782	demo	stay-bedb3a-2221-1	2221	default-bedb3a-00006	1	2221	\N	\N	\N	\N	\N	\N	\N	\N
1	109	5182563684833666949	-1152847076726309907	4	44	\N	\N	demo-bedb3a-00000109	queue_entered	1791188881361463	demo	stay-bedb3a-2222-1	2222	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	110	1729389095792438664	1216968778197581964	4	40	41	\N	demo-bedb3a-00000110	checks_ended	1791188906359314	demo	stay-bedb3a-2220-1	2220	default-bedb3a-00005	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	111	4541365001113875268	-8563590207174922814	4	40	\N	\N	demo-bedb3a-00000111	queue_left	1791188908156053	demo	stay-bedb3a-2220-1	2220	default-bedb3a-00005	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	112	-2222894185677536870	6867486088328940714	4	45	\N	\N	demo-bedb3a-00000112	queue_entered	1791189021259954	demo	stay-bedb3a-2223-1	2223	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	113	-1090317113960701072	5716963839749207777	4	46	\N	\N	demo-bedb3a-00000113	queue_entered	1791189101223462	demo	stay-bedb3a-2224-1	2224	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	114	482398546176960795	-929154693743376384	4	44	47	3	demo-bedb3a-00000114	checks_started	1791189182389641	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00007	1	2222,2223,2224	\N	\N	\N	\N	\N	\N	\N	\N
1	115	-3226165695868232383	8073428732372727274	4	45	47	3	demo-bedb3a-00000115	checks_started	1791189182995351	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00007	1	2222,2223,2224	\N	\N	\N	\N	\N	\N	\N	\N
1	116	4434081685765899353	6342158496525520671	4	46	47	3	demo-bedb3a-00000116	checks_started	1791189183412435	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00007	1	2222,2223,2224	\N	\N	\N	\N	\N	\N	\N	\N
1	117	2469522733279656613	-8191959614031466799	4	48	\N	\N	demo-bedb3a-00000117	queue_entered	1791189678462527	demo	stay-bedb3a-2225-1	2225	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	118	2652582298388045328	-3619085584762764464	4	49	\N	\N	demo-bedb3a-00000118	queue_entered	1791189694149034	demo	stay-bedb3a-2226-1	2226	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	119	5427476430712403428	-6863805514283984054	5	50	\N	\N	demo-bedb3a-00000119	queue_entered	1791189908643290	demo	stay-bedb3a-2227-1	2227	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	120	7593231519859717956	1595651788644051932	4	44	47	\N	demo-bedb3a-00000120	checks_ended	1791189908829315	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00007	1	\N	\N	PR_WITH_HIGHER_PRIORITY_QUEUED	\N	\N	\N	\N	\N	\N
1	121	8786077973685008935	-3135692665829579746	4	45	47	\N	demo-bedb3a-00000121	checks_ended	1791189908917884	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00007	1	\N	\N	PR_WITH_HIGHER_PRIORITY_QUEUED	\N	\N	\N	\N	\N	\N
1	122	1899982081711592708	8967213169521961366	4	46	47	\N	demo-bedb3a-00000122	checks_ended	1791189908959728	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00007	1	\N	\N	PR_WITH_HIGHER_PRIORITY_QUEUED	\N	\N	\N	\N	\N	\N
1	123	4016700778654209308	-4093147061743508711	5	50	51	1	demo-bedb3a-00000123	checks_started	1791189910117321	demo	stay-bedb3a-2227-1	2227	default-bedb3a-00008	1	2227	\N	\N	\N	\N	\N	\N	\N	\N
1	124	6649136476968230000	-2900342027127567698	4	44	52	4	demo-bedb3a-00000124	checks_started	1791189910393116	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N
1	125	-6940946452193852417	-2847991391181071075	4	45	52	4	demo-bedb3a-00000125	checks_started	1791189911039744	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N
1	126	-2414455779532534134	-144206523282342799	4	46	52	4	demo-bedb3a-00000126	checks_started	1791189911537050	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N
1	127	5731687569167695313	7420926855809953019	4	48	52	4	demo-bedb3a-00000127	checks_started	1791189912489446	demo	stay-bedb3a-2225-1	2225	default-bedb3a-00009	1	2222,2223,2224,2225	\N	\N	\N	\N	\N	\N	\N	\N
1	128	1694863214208091811	6063387058533863527	4	42	43	\N	demo-bedb3a-00000128	checks_ended	1791189919495201	demo	stay-bedb3a-2221-1	2221	default-bedb3a-00006	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	129	-7720997460948910572	-9164384731408550998	4	42	\N	\N	demo-bedb3a-00000129	queue_left	1791189921269107	demo	stay-bedb3a-2221-1	2221	default-bedb3a-00006	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	130	851850566409158272	8886239222965199839	4	49	53	1	demo-bedb3a-00000130	checks_started	1791189994472032	demo	stay-bedb3a-2226-1	2226	default-bedb3a-00010	1	2226	\N	\N	\N	\N	\N	\N	\N	\N
1	131	4232996813998223566	-5479810885456054975	4	54	\N	\N	demo-bedb3a-00000131	queue_entered	1791190169199401	demo	stay-bedb3a-2228-1	2228	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	132	4462896794226452936	1462346817479323237	4	55	\N	\N	demo-bedb3a-00000132	queue_entered	1791190702295337	demo	stay-bedb3a-2229-1	2229	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	133	-1161736133568802922	4541428952621992022	5	50	51	\N	demo-bedb3a-00000133	checks_ended	1791190944626399	demo	stay-bedb3a-2227-1	2227	default-bedb3a-00008	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	134	-5149348988815632511	-3507796985362541389	5	50	\N	\N	demo-bedb3a-00000134	queue_left	1791190946785763	demo	stay-bedb3a-2227-1	2227	default-bedb3a-00008	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	135	4474337841034954781	2930375170058233431	4	54	56	2	demo-bedb3a-00000135	checks_started	1791190947232524	demo	stay-bedb3a-2228-1	2228	default-bedb3a-00011	1	2228,2229	\N	\N	\N	\N	\N	\N	\N	\N
1	136	6756016553038242463	-4448693456113308699	4	55	56	2	demo-bedb3a-00000136	checks_started	1791190948426324	demo	stay-bedb3a-2229-1	2229	default-bedb3a-00011	1	2228,2229	\N	\N	\N	\N	\N	\N	\N	\N
1	137	-3998894841599644781	-5657745113521418315	4	44	52	\N	demo-bedb3a-00000137	checks_ended	1791191348463368	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	138	-1794942184732624254	-2893466993013254939	4	45	52	\N	demo-bedb3a-00000138	checks_ended	1791191348632574	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	139	2622774549342179211	8151938623233588862	4	46	52	\N	demo-bedb3a-00000139	checks_ended	1791191348677699	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	140	-7611386841187440516	3781627178661749347	4	48	52	\N	demo-bedb3a-00000140	checks_ended	1791191348778950	demo	stay-bedb3a-2225-1	2225	default-bedb3a-00009	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	\N
1	141	-4153264197802068591	524939770034888220	4	44	\N	\N	demo-bedb3a-00000141	queue_left	1791191351005454	demo	stay-bedb3a-2222-1	2222	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	142	-8024169378580071111	3185908857119113490	4	45	\N	\N	demo-bedb3a-00000142	queue_left	1791191351659972	demo	stay-bedb3a-2223-1	2223	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	143	4091472560040610914	-6234675442293480141	4	46	\N	\N	demo-bedb3a-00000143	queue_left	1791191353998562	demo	stay-bedb3a-2224-1	2224	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	144	2344605543006362127	8763518176652211877	4	48	\N	\N	demo-bedb3a-00000144	queue_left	1791191354957392	demo	stay-bedb3a-2225-1	2225	default-bedb3a-00009	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	\N
1	145	-8688670379627170919	8460106097038124925	4	57	\N	\N	demo-bedb3a-00000145	queue_entered	1791192197724450	demo	stay-bedb3a-2230-1	2230	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	146	-6356171994850359951	-650847154656099372	3	58	\N	\N	demo-bedb3a-00000146	queue_entered	1791192198482447	demo	stay-bedb3a-2231-1	2231	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	147	-1611236036602143342	-4759617328364395814	4	59	\N	\N	demo-bedb3a-00000147	queue_entered	1791192399350105	demo	stay-bedb3a-2232-1	2232	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1	148	-8199158879139991380	4245344480192871532	4	57	60	2	demo-bedb3a-00000148	checks_started	1791192498408194	demo	stay-bedb3a-2230-1	2230	default-bedb3a-00012	1	2230,2232	\N	\N	\N	\N	\N	\N	\N	\N
1	149	7983639446682711543	2958845222551032965	4	59	60	2	demo-bedb3a-00000149	checks_started	1791192499169323	demo	stay-bedb3a-2232-1	2232	default-bedb3a-00012	1	2230,2232	\N	\N	\N	\N	\N	\N	\N	\N
1	150	8924129675424544021	929590671498715708	3	58	61	1	demo-bedb3a-00000150	checks_started	1791192499607268	demo	stay-bedb3a-2231-1	2231	release-bedb3a-00002	1	2231	\N	\N	\N	\N	\N	\N	\N	\N
2	8	-2960431936359847375	2499910012297079068	1	7	3	3	activity-log:b/X/1/started	checks_started	1789380150000000	activity-log	b	2	X	1	1,2,3	\N	\N	\N	\N	\N	\N	\N	4
2	9	-436135737574583284	-8316049921709810628	1	7	3	\N	activity-log:b/X/1/ended	checks_ended	1789381200000000	activity-log	b	2	X	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	4
2	11	7852795275762666798	-271856306480012584	1	8	\N	\N	activity-log:c/entered	queue_entered	1789380018000000	activity-log	c	3	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	5
2	12	7159461648629437059	1156878597663628170	1	8	3	3	activity-log:c/X/1/started	checks_started	1789380150000000	activity-log	c	3	X	1	1,2,3	\N	\N	\N	\N	\N	\N	\N	5
2	13	4660303127529375686	1572369912346923632	1	8	3	\N	activity-log:c/X/1/ended	checks_ended	1789381200000000	activity-log	c	3	X	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	5
2	14	-5841967618989178721	-5687599059388251772	1	8	\N	\N	activity-log:c/left	queue_left	1789381260000000	activity-log	c	3	X	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	5
2	33	5440631875536631787	1174924356380801507	1	7	10	1	activity-log:b/Y/1/started	checks_started	1789381860000000	activity-log	b	1	Y	1	1	\N	\N	\N	\N	\N	\N	\N	1
2	34	-6982579535264446507	-1204661127943666027	1	7	10	\N	activity-log:b/Y/1/ended	checks_ended	1789382400000000	activity-log	b	1	Y	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	1
2	59	-2248005066644747343	-6685718084421441839	1	2	\N	\N	activity-log:a/entered	queue_entered	1789380000000000	activity-log	a	1	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	1
2	61	-4792335942122477704	-4373918051762559900	1	7	\N	\N	activity-log:b/left	queue_left	1789382406000000	activity-log	b	1	\N	\N	\N	PR_DEQUEUED	\N	0	0	\N	\N	\N	1
2	68	-7888668418670997030	1719322408027332681	1	\N	18	2	activity-log:b/bisection/81000002/started	bisection_started	1789380660000000	activity-log	\N	\N	batch e6528479e098b973a7b62b85	\N	1,2	\N	\N	\N	\N	0	\N	\N	4
2	69	2184280867372372944	4046853465252977949	1	\N	18	\N	activity-log:b/bisection/81000003/ended	bisection_ended	1789381260000000	activity-log	\N	\N	batch e6528479e098b973a7b62b85	\N	\N	\N	\N	\N	\N	\N	t	f	4
2	70	-8785365727765508602	1303936340133218021	1	\N	19	2	activity-log:c/bisection/81000004/started	bisection_started	1789380660000000	activity-log	\N	\N	batch 5919b8e88941c0181a8e9d0c	\N	3,4	\N	\N	\N	\N	0	\N	\N	5
2	71	-3531039370170688300	6342398857655232994	1	\N	19	\N	activity-log:c/bisection/81000005/ended	bisection_ended	1789381260000000	activity-log	\N	\N	batch 5919b8e88941c0181a8e9d0c	\N	\N	\N	\N	\N	\N	\N	t	f	5
2	72	3721470789738003351	-376174723730970608	1	\N	18	2	activity-log:a/bisection/81000000/started	bisection_started	1789380660000000	activity-log	\N	\N	batch e6528479e098b973a7b62b85	\N	1,2	\N	\N	\N	\N	0	\N	\N	1
2	75	-4548605128963634499	-7296054409658358274	1	2	\N	\N	activity-log:a/left	queue_left	1789380300000000	activity-log	a	1	\N	\N	\N	BASE_BRANCH_CHANGED	\N	0	0	\N	\N	\N	1
2	76	-4233784947019553805	3688351771423826213	1	2	3	\N	activity-log:a/X/1/ended	checks_ended	1789380180000000	activity-log	a	1	X	1	\N	\N	CHECKS_INTERRUPTED	\N	\N	\N	\N	\N	1
3	10	-8723370470605527149	-5747595531881286166	1	6	7	\N	github:main#2@2026-09-14T10:00:00Z/ad782ecdac770fc6/1/ended	checks_ended	1789380660000000	github	github:main#2@2026-09-14T10:00:00Z	2	ad782ecdac770fc6eb9a62e44f90873fb97fb26b	1	\N	\N	BATCH_AHEAD_FAILED	\N	\N	\N	\N	\N	2
3	11	-448080594508445705	-1089103998654403757	1	6	10	1	github:main#2@2026-09-14T10:00:00Z/64e1c008ebdb6692/1/started	checks_started	1789380660000000	github	github:main#2@2026-09-14T10:00:00Z	2	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	1	2	\N	\N	\N	\N	\N	\N	\N	2
3	12	5019087835123697206	-1049135632589980407	1	6	10	\N	github:main#2@2026-09-14T10:00:00Z/64e1c008ebdb6692/1/ended	checks_ended	1789381200000000	github	github:main#2@2026-09-14T10:00:00Z	2	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	2
3	13	-5391959640296509645	4976400288365585266	1	6	\N	\N	github:main#2@2026-09-14T10:00:00Z/left	queue_left	1789381200000000	github	github:main#2@2026-09-14T10:00:00Z	2	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	2
3	14	-4058898931794419704	4833587590481261791	1	8	9	\N	github:main#3@2026-09-14T10:00:00Z/b802f384302cb24f/1/ended	checks_ended	1789380660000000	github	github:main#3@2026-09-14T10:00:00Z	3	b802f384302cb24fbab0a44997e820bf2e8507bb	1	\N	\N	BATCH_AHEAD_FAILED	\N	\N	\N	\N	\N	3
3	15	-6099307448339360755	-1286285228506449767	1	8	11	1	github:main#3@2026-09-14T10:00:00Z/5c8e2c58bf45cdb0/1/started	checks_started	1789380660000000	github	github:main#3@2026-09-14T10:00:00Z	3	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	1	3	\N	\N	\N	\N	\N	\N	\N	3
3	16	-3100739820716565101	4446607144009355637	1	8	11	\N	github:main#3@2026-09-14T10:00:00Z/5c8e2c58bf45cdb0/1/ended	checks_ended	1789381200000000	github	github:main#3@2026-09-14T10:00:00Z	3	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	3
3	17	6107792704354153219	6435006654862106588	1	8	\N	\N	github:main#3@2026-09-14T10:00:00Z/left	queue_left	1789381200000000	github	github:main#3@2026-09-14T10:00:00Z	3	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	\N	\N	PR_MERGED	\N	0	0	\N	\N	\N	3
2	35	1496062723914103643	-5158197259386726575	1	7	\N	\N	activity-log:b/entered	queue_entered	1789380000000000	activity-log	b	2	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	4
2	46	-3763179795592429311	5831257416357418815	1	2	10	1	activity-log:a/Y/1/started	checks_started	1789380390000000	activity-log	a	1	Y	1	1	\N	\N	\N	\N	\N	\N	\N	1
2	47	1533697328710593737	-1431918991794835677	1	2	10	\N	activity-log:a/Y/1/ended	checks_ended	1789381200000000	activity-log	a	1	Y	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	1
2	62	6103167778747285600	-2547144922465559899	1	14	\N	\N	activity-log:e/entered	queue_entered	1789380000000000	activity-log	e	5	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	13
2	63	-6574779011357212448	-4479764752071433228	1	14	15	1	activity-log:e/checks on 5 in e/1/started	checks_started	1789381200000000	activity-log	e	5	checks on 5 in e	1	5	\N	\N	\N	\N	\N	\N	\N	13
2	64	-6487729122464881382	8300577601652012946	1	14	15	\N	activity-log:e/checks on 5 in e/1/ended	checks_ended	1789381800000000	activity-log	e	5	checks on 5 in e	1	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	13
2	65	-7487047331028491435	4976190022693267666	1	16	\N	\N	activity-log:f/entered	queue_entered	1789380000000000	activity-log	f	5	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	13
2	66	6043465545713525267	8930656824484762221	1	16	17	1	activity-log:f/checks on 5 in f/1/started	checks_started	1789383000000000	activity-log	f	5	checks on 5 in f	1	5	\N	\N	\N	\N	\N	\N	\N	13
2	67	1912894885564268988	2240040277490465673	1	16	17	\N	activity-log:f/checks on 5 in f/1/ended	checks_ended	1789383600000000	activity-log	f	5	checks on 5 in f	1	\N	\N	SUCCESS	\N	\N	\N	\N	\N	13
3	1	-7248722510462733671	-7352926027275753464	1	4	\N	\N	github:main#1@2026-09-14T10:00:00Z/entered	queue_entered	1789380000000000	github	github:main#1@2026-09-14T10:00:00Z	1	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	1
3	2	8633715468720045479	-4795052627108218196	1	4	5	1	github:main#1@2026-09-14T10:00:00Z/fe05bcdcdc492801/1/started	checks_started	1789380060000000	github	github:main#1@2026-09-14T10:00:00Z	1	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	1	1	\N	\N	\N	\N	\N	\N	\N	1
3	3	8234842918070970473	3013429858126165283	1	4	5	\N	github:main#1@2026-09-14T10:00:00Z/fe05bcdcdc492801/1/ended	checks_ended	1789380600000000	github	github:main#1@2026-09-14T10:00:00Z	1	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	1	\N	\N	CHECKS_FAILED	\N	\N	\N	\N	\N	1
3	4	-7363915407310593083	-3118048753448849100	1	4	\N	\N	github:main#1@2026-09-14T10:00:00Z/left	queue_left	1789380600000000	github	github:main#1@2026-09-14T10:00:00Z	1	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	\N	\N	CHECKS_FAILED	\N	0	0	\N	\N	\N	1
3	5	3846089540808421955	-3116362309052474473	1	6	\N	\N	github:main#2@2026-09-14T10:00:00Z/entered	queue_entered	1789380000000000	github	github:main#2@2026-09-14T10:00:00Z	2	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	2
3	6	8082499315666524837	4117049978267327895	1	6	7	1	github:main#2@2026-09-14T10:00:00Z/ad782ecdac770fc6/1/started	checks_started	1789380060000000	github	github:main#2@2026-09-14T10:00:00Z	2	ad782ecdac770fc6eb9a62e44f90873fb97fb26b	1	2	\N	\N	\N	\N	\N	\N	\N	2
3	8	-1439383332524460463	8904492951986919565	1	8	\N	\N	github:main#3@2026-09-14T10:00:00Z/entered	queue_entered	1789380000000000	github	github:main#3@2026-09-14T10:00:00Z	3	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N	3
3	9	-5926528447529012802	-7718673213069406176	1	8	9	1	github:main#3@2026-09-14T10:00:00Z/b802f384302cb24f/1/started	checks_started	1789380060000000	github	github:main#3@2026-09-14T10:00:00Z	3	b802f384302cb24fbab0a44997e820bf2e8507bb	1	3	\N	\N	\N	\N	\N	\N	\N	3
\.


--
-- Data for Name: expired; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.expired (repository_id, source, kind, times) FROM stdin;
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
drop old deliveries	vm-26678	1794967611974768	1795050411974768	\N
diagnosis	vm-26678	1794964016238149	\N	\N
notices	vm-26678	1794964016240105	\N	\N
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
3	1	{"run stopped 28": 1, "run stopped sum": 1864740000000}
\.


--
-- Data for Name: queue_problems; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.queue_problems (repository_id, found_at, base_ref, queue_name, name, since, ended_at, document) FROM stdin;
\.


--
-- Data for Name: recommendations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.recommendations (repository_id, base_ref, computed_at, settings_version, document) FROM stdin;
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

COPY public.repository_state (repository_id, version, events, first_at, last_at, products, snapshots, recordings, last_event, last_subject, last_group, deliveries, last_delivery, platform_id, former_names, ci_version, ci_checks, last_ci_run, last_ci_text, kept_since) FROM stdin;
3	3	16	1789380000000000	1789381200000000	\N	0	0	17	11	1	15	15	700100	\N	0	0	0	0	\N
1	2	150	1791162008766493	1791192499607268	merge_queue	1	1	150	61	5	0	0	\N	\N	1	0	0	0	\N
2	44	26	1789380000000000	1789383600000000	\N	0	0	76	19	1	84	84	\N	\N	0	0	0	0	\N
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
3	9	1	t	f	1789380060000000	1789380660000000	1
3	10	1	t	t	1789380660000000	1789381200000000	1
3	11	1	t	t	1789380660000000	1789381200000000	1
\.


--
-- Data for Name: schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migrations (number, oldest_program, program) FROM stdin;
1	1	0.1.0.dev19
2	1	0.1.0.dev19
3	1	0.1.0.dev19
4	1	0.1.0.dev19
5	1	0.1.0.dev19
6	1	0.1.0.dev19
7	1	0.1.0.dev19
8	1	0.1.0.dev19
9	1	0.1.0.dev19
10	1	0.1.0.dev19
11	1	0.1.0.dev19
12	1	0.1.0.dev19
13	1	0.1.0.dev19
14	1	0.1.0.dev19
15	1	0.1.0.dev19
16	1	0.1.0.dev19
17	1	0.1.0.dev19
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

COPY public.stays (repository_id, stay, pull_request, entered_at, entered_group, left_at, left_group, reason, batch_id, retries, queue_time, ci_runtime, idle_capacity, idle_schedule, idle_freeze) FROM stdin;
1	1	2201	1791162008766493	1	1791162512594498	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00001	0	503828005	490583920	13244085	0	0
1	2	2202	1791162020824224	1	1791162514901352	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00001	0	494077128	490513679	3563449	0	0
1	4	2203	1791162032227769	1	1791162515706257	1	PR_MERGED	website-bedb3a-00002	0	483478488	475856960	7621528	0	0
1	5	2204	1791162034804603	1	1791162517937354	1	PR_MERGED	website-bedb3a-00002	0	483132751	474976915	8155836	0	0
1	7	2205	1791162036827318	1	1791163299771739	1	PR_MERGED	website-bedb3a-00004	1	1262944421	1256580532	6363889	0	0
1	8	2206	1791162040061614	1	1791163504036548	1	CHECKS_FAILED	website-bedb3a-00005	2	1463974934	1456394128	7580806	0	0
1	15	2207	1791176486621905	2	1791181746562551	2	PR_MERGED	default-bedb3a-00001	0	5259940646	1743947664	2614887	3513378095	0
1	16	2208	1791176496219682	2	1791181748836311	2	PR_MERGED	default-bedb3a-00001	0	5252616629	1742824674	6011637	3503780318	0
1	17	2209	1791176592137955	2	1791181749891923	2	PR_MERGED	default-bedb3a-00001	0	5157753968	1741875439	8016484	3407862045	0
1	18	2210	1791176662869370	2	1791181750415086	2	PR_MERGED	default-bedb3a-00001	0	5087545716	1741293791	9121295	3337130630	0
1	19	2211	1791176673425593	2	1791184026538981	2	PR_MERGED	default-bedb3a-00003	1	7353113388	3657906580	368632401	3326574407	0
1	20	2212	1791176678153558	2	1791184820788474	2	CHECKS_FAILED	default-bedb3a-00004	2	8142634916	4450720716	370067758	3321846442	0
1	21	2213	1791179772000853	3	1791186895608915	3	PR_MERGED	release-bedb3a-00001	0	7123608062	3293195660	2413255	0	3827999147
1	30	2214	1791183602513675	1	1791184125160775	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00006	0	522647100	498639694	24007406	0	0
1	31	2215	1791183624716958	1	1791184126197662	1	PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED	website-bedb3a-00006	0	501480704	497728090	3752614	0	0
1	33	2216	1791183633962951	1	1791184127731172	1	PR_MERGED	website-bedb3a-00007	0	493768221	475286199	18482022	0	0
1	34	2217	1791183647900479	1	1791184128166883	1	PR_MERGED	website-bedb3a-00007	0	480266404	475037344	5229060	0	0
1	36	2218	1791183663502982	1	1791184715479267	1	PR_MERGED	website-bedb3a-00008	1	1051976285	1041418659	10557626	0	0
1	37	2219	1791183671071279	1	1791184716651499	1	PR_MERGED	website-bedb3a-00008	1	1045580220	1040960810	4619410	0	0
1	40	2220	1791187255582807	4	1791188908156053	4	PR_MERGED	default-bedb3a-00005	0	1652573246	1350526347	302046899	0	0
1	42	2221	1791187911799319	4	1791189921269107	4	PR_MERGED	default-bedb3a-00006	0	2009469788	1707027419	302442369	0	0
1	44	2222	1791188881361463	4	1791191351005454	4	PR_MERGED	default-bedb3a-00009	0	2469643991	2164509926	305134065	0	0
1	45	2223	1791189021259954	4	1791191351659972	4	PR_MERGED	default-bedb3a-00009	0	2330400018	2163515363	166884655	0	0
1	46	2224	1791189101223462	4	1791191353998562	4	PR_MERGED	default-bedb3a-00009	0	2252775100	2162687942	90087158	0	0
1	48	2225	1791189678462527	4	1791191354957392	4	PR_MERGED	default-bedb3a-00009	0	1676494865	1436289504	240205361	0	0
1	49	2226	1791189694149034	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
1	50	2227	1791189908643290	5	1791190946785763	5	PR_MERGED	default-bedb3a-00008	0	1038142473	1034509078	3633395	0	0
1	54	2228	1791190169199401	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
1	55	2229	1791190702295337	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
1	57	2230	1791192197724450	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
1	58	2231	1791192198482447	3	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
1	59	2232	1791192399350105	4	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
2	8	3	1789380018000000	1	1789381260000000	1	PR_MERGED	X	0	1242000000	1050000000	192000000	0	0
2	14	5	1789380000000000	1	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
2	16	5	1789380000000000	1	\N	\N	\N	\N	0	\N	\N	\N	\N	\N
2	7	2	1789380000000000	1	1789382406000000	1	PR_DEQUEUED	\N	0	2406000000	1590000000	816000000	0	0
2	2	1	1789380000000000	1	1789380300000000	1	BASE_BRANCH_CHANGED	\N	0	300000000	0	300000000	0	0
3	4	1	1789380000000000	1	1789380600000000	1	CHECKS_FAILED	fe05bcdcdc4928012781a5f1a2a77cbb5398e106	0	600000000	540000000	60000000	0	0
3	6	2	1789380000000000	1	1789381200000000	1	PR_MERGED	64e1c008ebdb6692886cf6ea7a6653837d34eeaf	0	1200000000	1140000000	60000000	0	0
3	8	3	1789380000000000	1	1789381200000000	1	PR_MERGED	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7	0	1200000000	1140000000	60000000	0	0
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
3	8	-2210403744910259153	1488613002485885760
3	9	4219042573962170448	5939696638290964808
3	10	7397499086196150988	-4487766199207393941
3	11	6188997068912617685	624385207422036757
\.


--
-- Data for Name: targets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.targets (repository_id, document) FROM stdin;
1	[[null,null,3600.0,null,null]]
\.


--
-- Data for Name: thread_links; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.thread_links (repository_id, thread, is_owner, name) FROM stdin;
3	1	f	1405df66cbe219b0bf6355bc3d60361a8376b6b4
3	1	f	main#
3	1	f	main@14911504
3	1	f	main@14911505
3	1	t	fe05bcdcdc4928012781a5f1a2a77cbb5398e106
3	1	t	main@14911505
3	2	f	fe05bcdcdc4928012781a5f1a2a77cbb5398e106
3	2	f	main#
3	2	f	main@14927039
3	2	f	main@14927040
3	2	t	ad782ecdac770fc6eb9a62e44f90873fb97fb26b
3	2	t	main@14927040
3	3	f	ad782ecdac770fc6eb9a62e44f90873fb97fb26b
3	3	f	main#
3	3	t	b802f384302cb24fbab0a44997e820bf2e8507bb
3	2	f	1405df66cbe219b0bf6355bc3d60361a8376b6b4
3	2	f	main@14911505
3	2	f	main@14911506
3	2	t	64e1c008ebdb6692886cf6ea7a6653837d34eeaf
3	2	t	main@14911505
3	2	t	main@14911510
3	3	f	64e1c008ebdb6692886cf6ea7a6653837d34eeaf
3	3	f	main@14911505
3	3	f	main@14911506
3	3	t	5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7
3	3	t	main@14911505
3	3	t	main@14911510
\.


--
-- Data for Name: threads; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.threads (repository_id, number, source, name, standing, first_at, last_at, is_about_queue, translation) FROM stdin;
2	4	activity-log	#2		1789380012000000	1789381260000000	t	2
2	5	activity-log	#3		1789380018000000	1789381260000000	t	2
2	1	activity-log	#1		1789380000000000	1789385400000000	t	2
2	13	activity-log	#5		1789381200000000	1789383600000000	t	2
3	1	github	#1	{"fe05bcdcdc4928012781a5f1a2a77cbb5398e106":"CHECKS_FAILED"}	1789380060000000	1791244800000000	t	2
3	2	github	#2	{"64e1c008ebdb6692886cf6ea7a6653837d34eeaf":1789381200000000,"ad782ecdac770fc6eb9a62e44f90873fb97fb26b":"fe05bcdcdc4928012781a5f1a2a77cbb5398e106"}	1789380060000000	1791244800000000	t	2
3	3	github	#3	{"5c8e2c58bf45cdb0a5e21f81f25fd289aebdfbd7":1789381200000000,"b802f384302cb24fbab0a44997e820bf2e8507bb":"ad782ecdac770fc6eb9a62e44f90873fb97fb26b"}	1789380060000000	1791244800000000	t	2
\.


--
-- Data for Name: thresholds; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.thresholds (repository_id, base_ref, queue_name, name, millionths) FROM stdin;
\.


--
-- Data for Name: untranslated; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.untranslated (repository_id, thread, source, reason, times, last_at) FROM stdin;
2	1	activity-log	unknown code SOLAR_FLARE	2	1789380300000000
2	1	activity-log	an event with this id was sent by a client	1	1789381800000000
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
2	2	queue_left
2	9	checks_ended
2	6	checks_ended
2	7	queue_entered
2	7	queue_left
2	12	bisection_ended
2	11	checks_ended
2	18	bisection_ended
3	7	checks_ended
\.


--
-- Name: repository_ids; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.repository_ids', 3, true);


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
-- Name: baselines baselines_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.baselines
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
-- Name: queue_problems queue_problems_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.queue_problems
    ADD CONSTRAINT queue_problems_pkey PRIMARY KEY (repository_id, found_at, base_ref, queue_name, name);


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
-- Name: targets targets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.targets
    ADD CONSTRAINT targets_pkey PRIMARY KEY (repository_id);


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
    ADD CONSTRAINT thresholds_pkey PRIMARY KEY (repository_id, base_ref, queue_name, name);


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
-- Name: waiting_threads_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX waiting_threads_by_thread ON public.waiting_threads USING btree (repository_id, thread);


--
-- PostgreSQL database dump complete
--

\unrestrict mergecast


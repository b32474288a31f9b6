/** The facts about PostgreSQL's functions that must be known without asking it. */
import { wordSet } from '../../sql/grammar.ts'
import type { EngineFunctions } from '../engine.ts'
import { aggregates, ofOneType, volatile, windows } from './facts.generated.ts'
import { valueWords } from './value-words.ts'

/** Stable for a statement, and another value in the next run. */
const ofTheMoment = wordSet(
  `age current_database current_schemas current_setting inet_client_addr inet_client_port inet_server_addr
  inet_server_port now pg_backend_pid pg_conf_load_time pg_current_snapshot pg_current_xact_id
  pg_current_xact_id_if_assigned pg_postmaster_start_time statement_timestamp transaction_timestamp txid_current
  txid_current_if_assigned txid_current_snapshot version`,
)

const summarizing = wordSet('avg count stddev stddev_pop stddev_samp sum var_pop var_samp variance')

/** Functions of the system that only look at their arguments. */
const harmless = wordSet(
  `pg_client_encoding pg_collation_for pg_column_size pg_input_error_info pg_input_is_valid pg_size_bytes pg_size_pretty
  pg_typeof`,
)

/** Readers of settings, of files and of what a text names, and functions that change something. */
const reaching = wordSet(
  `current_setting currtid2 currval lastval loread lowrite nextval set_config setseed setval ts_rewrite ts_stat`,
)
const reachingNames =
  /^(?:_?pg_|lo_|brin_|gin_|dblink|(?:query|table|schema|database|cursor)_to_xml|plpgsql_|has_|row_security_active)/

/** A role that is a superuser could read any file of the server by them, and a text that is run as SQL is checked by nobody. */
const closed = wordSet(
  `lo_export lo_import pg_current_logfile pg_hba_file_rules pg_ident_file_mappings pg_ls_archive_statusdir pg_ls_dir
  pg_ls_logdir pg_ls_logicalmapdir pg_ls_logicalsnapdir pg_ls_replslotdir pg_ls_summariesdir pg_ls_tmpdir pg_ls_waldir
  pg_read_binary_file pg_read_file pg_show_all_file_settings pg_stat_file query_to_xml query_to_xml_and_xmlschema
  query_to_xmlschema ts_stat`,
)

export const postgresFunctions: EngineFunctions = {
  valueWords,
  volatile: new Set([...valueWords, ...wordSet(volatile), ...ofTheMoment]),
  // Those that do are volatile already.
  readsCatalogue: () => false,
  ofAnything: 'concat',
  withLambda: new Set(),
  aggregates: wordSet(aggregates),
  windows: new Set([...wordSet(windows)].filter(name => !wordSet(aggregates).has(name))),
  summarizing,
  // PostgreSQL has any_value since version 16.
  ofAnyRow: 'min',
  ofOneType: wordSet(ofOneType),
  reachesOut: name => reaching.has(name) || (reachingNames.test(name) && !harmless.has(name)),
  closed,
  options: new Map(),
}

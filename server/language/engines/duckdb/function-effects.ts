/** The effect of each of DuckDB's functions, with those of its extensions; a test compares them with `duckdb_functions()`. */
import { type EffectLists, type FunctionEffect, functionEffects } from '../function-effects.ts'
import { duckdbExtensions } from './extensions.ts'
import { pureFunctions } from './pure-functions.ts'

export const effectLists: EffectLists = {
  pure: pureFunctions,
  moment: `age/1 ago current_date current_localtime current_localtimestamp current_time current_timestamp gen_random_uuid
    get_current_time get_current_timestamp localtime localtimestamp now random today transaction_timestamp uuid uuidv4
    uuidv7`,
  session: `current_catalog current_connection_id current_database current_query current_query_id current_role
    current_schema current_schemas current_transaction_id current_user in_search_path inet_client_addr inet_client_port
    inet_server_addr inet_server_port pg_conf_load_time pg_is_other_temp_schema pg_my_temp_schema
    pg_postmaster_start_time pg_timezone_names platform pragma_platform pragma_user_agent pragma_version session_user
    txid_current user user_agent version`,
  settings: `all_profiling_output current_setting duckdb_profiling_settings duckdb_secret_types duckdb_secrets
    duckdb_settings duckdb_variables getenv getvariable which_secret`,
  relations: `arrow_scan arrow_scan_dumb col_description collations currval database_list database_size duckdb_*
    extension_versions functions get_block_size has_any_column_privilege has_column_privilege has_database_privilege
    has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege has_schema_privilege
    has_sequence_privilege has_server_privilege has_table_privilege has_tablespace_privilege
    json_serialize_plan metadata_info obj_description pg_collation_is_visible pg_conversion_is_visible
    pg_function_is_visible pg_get_constraintdef pg_get_expr pg_get_viewdef pg_has_role pg_opclass_is_visible
    pg_operator_is_visible pg_opfamily_is_visible pg_table_is_visible pg_ts_config_is_visible pg_ts_dict_is_visible
    pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible pragma_* query_table seq_scan
    shobj_description show show_databases show_tables show_tables_expanded sql_auto_complete storage_info table_info`,
  files: `glob parquet_bloom_probe parquet_file_metadata parquet_full_metadata parquet_kv_metadata parquet_metadata
    parquet_scan parquet_schema read_* sniff_csv`,
  writes: `add_parquet_key checkpoint copy_database disable_* enable_* force_checkpoint nextval pg_sleep setseed sleep_ms
    truncate_duckdb_logs verify_* write_log`,
  text: `from_substrait from_substrait_json get_substrait get_substrait_json import_database
    json_execute_serialized_sql query`,
}

export const ownEffects = functionEffects(effectLists)

/** Functions of extensions that do something else than most of their extension. */
const ofExtensions = functionEffects({
  pure: `excel_text iceberg_bucket iceberg_truncate murmur3_32 postgres_hstore_get postgres_hstore_to_json stem
    tpcds_answers tpcds_queries tpch_answers tpch_queries`,
  files: 'read_* st_drivers st_read st_read_meta st_readosm st_readshp shapefile_meta',
  relations: 'pragma_* rtree_index_dump rtree_index_scan vss_join vss_match hnsw_index_scan',
  writes: 'create_fts_index drop_fts_index dbgen dsdgen hnsw_compact_index mysql_execute postgres_execute',
  text: 'tpcds tpch fuzz_all_functions fuzzyduck sqlsmith',
})

/** Most functions of an extension do the same. */
const extensions: Readonly<Record<string, FunctionEffect>> = {
  avro: 'files',
  aws: 'settings',
  delta: 'files',
  demo_capi: 'pure',
  ducklake: 'relations',
  excel: 'pure',
  fts: 'writes',
  iceberg: 'files',
  inet: 'pure',
  mysql_scanner: 'network',
  odbc_scanner: 'network',
  parquet: 'writes',
  postgres_scanner: 'network',
  quack: 'network',
  spatial: 'pure',
  sqlite_scanner: 'files',
  sqlsmith: 'text',
  tpcds: 'writes',
  tpch: 'writes',
  ui: 'writes',
  vss: 'relations',
}

/** A function that neither DuckDB nor its own extensions have is one of an extension of others, of which nothing is known. */
export function effectOf(name: string, count?: number): FunctionEffect | undefined {
  const found = ownEffects.of(name, count)
  if (found !== undefined) return found
  const extension = duckdbExtensions.ofFunction(name)
  return extension === undefined ? undefined : (ofExtensions.of(name, count) ?? extensions[extension])
}

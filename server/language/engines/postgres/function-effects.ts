/**
 * The effect of each of PostgreSQL's functions. Those that its catalogue calls IMMUTABLE are pure by that word: they may not
 * look at the database. A test compares the rest with `pg_proc` of the embedded PostgreSQL and of a server.
 */
import { type EffectLists, functionEffects } from '../function-effects.ts'

export const effectLists: EffectLists = {
  /** Stable for the sake of the time zone, of formats or of the types of their arguments, which the session fixes. */
  pure: `age/2 amvalidate anyarray_* anycompatiblearray_* anycompatiblemultirange_* anycompatiblerange_* anyenum_*
    anymultirange_* anyrange_* anytextcat array_in array_out array_send array_to_json array_to_string bpcharsend
    brin_bloom_summary_send brin_minmax_multi_summary_send cash_in cash_out concat concat_ws convert convert_from
    convert_to cstring_send date date_add date_cmp_timestamptz date_eq_timestamptz date_ge_timestamptz
    date_gt_timestamptz date_in date_le_timestamptz date_lt_timestamptz date_ne_timestamptz date_out date_part
    date_subtract date_trunc domain_in enum_first enum_in enum_last enum_out enum_range enum_send extract format
    format_type generate_series in_range interval_in interval_out interval_pl_timestamptz json_agg json_agg_strict
    json_build_array json_build_object json_object_agg json_object_agg_strict json_object_agg_unique
    json_object_agg_unique_strict json_populate_record json_populate_recordset json_to_record json_to_recordset
    json_to_tsvector jsonb_agg jsonb_agg_strict jsonb_build_array jsonb_build_object jsonb_object_agg
    jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict jsonb_path_exists_tz
    jsonb_path_match_tz jsonb_path_query_array_tz jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record
    jsonb_populate_record_valid jsonb_populate_recordset jsonb_to_record jsonb_to_recordset jsonb_to_tsvector length
    make_timestamptz money multirange_in multirange_out multirange_send namesend numeric oidvectortypes overlaps
    pg_basetype pg_char_to_encoding pg_client_encoding pg_collation_for pg_column_compression pg_column_size
    pg_column_toast_chunk_id pg_dependencies_send pg_encoding_to_char pg_input_error_info pg_input_is_valid
    pg_mcv_list_items pg_mcv_list_send pg_ndistinct_send pg_node_tree_send pg_options_to_table pg_split_walfile_name
    pg_typeof phraseto_tsquery plainto_tsquery quote_literal quote_nullable range_in range_out range_send record_in
    record_out record_send row_to_json textanycat textsend time time_in timestamp timestamp_cmp_timestamptz
    timestamp_eq_timestamptz timestamp_ge_timestamptz timestamp_gt_timestamptz timestamp_in timestamp_le_timestamptz
    timestamp_lt_timestamptz timestamp_ne_timestamptz timestamp_out timestamptz timestamptz_* timetz timetz_in timezone
    to_char to_date to_json to_jsonb to_number to_timestamp to_tsquery to_tsvector ts_debug ts_headline ts_match_tq
    ts_match_tt ts_parse ts_rewrite ts_token_type varcharsend websearch_to_tsquery xml xml_in xml_is_well_formed
    xml_send`,
  moment: `age/1 array_sample array_shuffle clock_timestamp gen_random_uuid now random random_normal
    statement_timestamp timeofday transaction_timestamp uuidv4 uuidv7`,
  session: `current_database current_query current_schema current_schemas current_user get_current_ts_config
    getdatabaseencoding getpgusername inet_client_addr inet_client_port inet_server_addr inet_server_port mxid_age
    pg_backend_pid pg_conf_load_time pg_current_snapshot pg_current_xact_id pg_current_xact_id_if_assigned
    pg_is_in_recovery pg_is_other_temp_schema pg_jit_available pg_listening_channels pg_my_temp_schema
    pg_numa_available pg_postmaster_start_time pg_timezone_* pg_trigger_depth pg_xact_status session_user system_user
    txid_current txid_current_if_assigned txid_current_snapshot txid_status version`,
  settings: `current_setting pg_config pg_control_* pg_get_loaded_modules pg_settings_get_flags pg_show_all_settings
    row_security_active`,
  relations: `_pg_index_position aclexplode aclitemin aclitemout col_description currtid2 currval cursor_to_xml
    cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema database_to_xmlschema fmgr_* has_* lastval lo_get
    lo_lseek lo_lseek64 lo_open lo_tell lo_tell64 loread obj_description pg_available_extension_versions
    pg_available_extensions pg_blocking_pids pg_collation_actual_version pg_collation_is_visible pg_column_is_updatable
    pg_conversion_is_visible pg_current_wal_* pg_cursor pg_database_* pg_describe_object pg_event_trigger_*
    pg_extension_update_paths pg_filenode_relation pg_function_is_visible pg_get_* pg_has_role pg_identify_*
    pg_index_* pg_indexam_has_property pg_indexes_size pg_is_wal_replay_paused pg_isolation_test_session_is_blocked
    pg_last_* pg_lock_status pg_nextoid pg_notification_queue_usage pg_opclass_is_visible pg_operator_is_visible
    pg_opfamily_is_visible pg_partition_ancestors pg_partition_root pg_partition_tree pg_prepared_* pg_relation_*
    pg_replication_origin_oid pg_replication_origin_progress pg_replication_origin_session_is_setup
    pg_replication_origin_session_progress pg_safe_snapshot_blocking_pids pg_sequence_* pg_show_replication_origin_status
    pg_stat_get_* pg_stat_have_stats pg_statistics_obj_is_visible pg_table_is_visible pg_table_size pg_tablespace_*
    pg_total_relation_size pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible
    pg_ts_template_is_visible pg_type_is_visible pg_xact_commit_* plpgsql_validator regclass regclassin regclassout
    regcollationin regcollationout regconfigin regconfigout regdictionaryin regdictionaryout regnamespacein
    regnamespaceout regoperatorin regoperatorout regoperin regoperout regprocedurein regprocedureout regprocin
    regprocout regrolein regroleout regtypein regtypeout schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema
    shobj_description table_to_xml table_to_xml_and_xmlschema table_to_xmlschema to_reg*`,
  files: `lo_export lo_import pg_available_wal_summaries pg_current_logfile pg_get_wal_summarizer_state pg_hba_file_rules
    pg_ident_file_mappings pg_ls_* pg_read_* pg_relation_filepath pg_show_all_file_settings pg_stat_file
    pg_wal_summary_contents`,
  writes: `binary_upgrade_* brin_desummarize_range brin_summarize_new_values brin_summarize_range
    gin_clean_pending_list lo_* lowrite nextval pg_advisory_* pg_backup_* pg_cancel_backend pg_clear_* pg_copy_*
    pg_create_* pg_drop_* pg_export_snapshot pg_extension_config_dump pg_import_system_collations pg_log_* pg_logical_*
    pg_notify pg_promote pg_reload_conf pg_replication_* pg_restore_* pg_rotate_* pg_sleep pg_sleep_for
    pg_sleep_until pg_stat_clear_snapshot pg_stat_force_next_flush pg_stat_reset*
    pg_stop_making_pinned_objects pg_switch_wal pg_sync_replication_slots pg_terminate_backend pg_try_advisory_*
    pg_wal_replay_* set_config setseed setval`,
  text: `query_to_xml query_to_xml_and_xmlschema query_to_xmlschema ts_rewrite/2 ts_stat`,
}

/** Functions of extensions that come with the server, by what they do. */
const ofExtensions: EffectLists = {
  network: 'dblink* postgres_fdw_*',
  files: 'pg_file_* pg_logdir_ls pg_read_binary_file pg_read_server_files',
  text: 'connectby crosstab* xpath_table',
  moment: `gen_random_bytes gen_salt normal_rand pgp_pub_encrypt pgp_pub_encrypt_bytea pgp_sym_encrypt pgp_sym_encrypt_bytea
    uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4`,
  settings: 'fips_mode isn_weak show_limit',
  writes: 'set_limit',
}

export const ownEffects = functionEffects(effectLists)
export const extensionEffects = functionEffects(ofExtensions)

export const effectOf: typeof ownEffects.of = (name, count) =>
  ownEffects.of(name, count) ?? extensionEffects.of(name, count)

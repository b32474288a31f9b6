/**
 * The macros of dbt itself and of dbt_utils that projects use most, in svc's own words for DuckDB: a project whose
 * packages are not installed is unrolled all the same, and none of them asks a warehouse.
 */
import type { Template } from '../../jinja/problem.ts'

const dbt = `
{% macro concat(fields) %}{{ fields | join(' || ') }}{% endmacro %}
{% macro hash(field) %}md5(cast({{ field }} as varchar)){% endmacro %}
{% macro dateadd(datepart, interval, from_date_or_timestamp) -%}
  {%- set unit = datepart | lower | trim -%}
  {%- if unit == 'quarter' -%}
    ({{ from_date_or_timestamp }} + (cast({{ interval }} as bigint) * 3) * interval 1 month)
  {%- else -%}
    ({{ from_date_or_timestamp }} + cast({{ interval }} as bigint) * interval 1 {{ unit }})
  {%- endif -%}
{%- endmacro %}
{% macro datediff(first_date, second_date, datepart) -%}
  {%- if datepart == 'week' -%}
    (date_diff('day', cast({{ first_date }} as timestamp), cast({{ second_date }} as timestamp)) // 7 + case
      when date_part('dow', cast({{ first_date }} as timestamp)) <= date_part('dow', cast({{ second_date }} as timestamp))
      then case when {{ first_date }} <= {{ second_date }} then 0 else -1 end
      else case when {{ first_date }} <= {{ second_date }} then 1 else 0 end
    end)
  {%- else -%}
    date_diff('{{ datepart }}', cast({{ first_date }} as timestamp), cast({{ second_date }} as timestamp))
  {%- endif -%}
{%- endmacro %}
{% macro date_trunc(datepart, date) %}date_trunc('{{ datepart }}', {{ date }}){% endmacro %}
{% macro last_day(date, datepart) -%}
  cast({{ dateadd('day', '-1', dateadd(datepart, '1', date_trunc(datepart, date))) }} as date)
{%- endmacro %}
{% macro date(year, month, day) %}make_date({{ year }}, {{ month }}, {{ day }}){% endmacro %}
{% macro safe_cast(field, type) %}cast({{ field }} as {{ type }}){% endmacro %}
{% macro cast(field, type) %}cast({{ field }} as {{ type }}){% endmacro %}
{% macro cast_bool_to_text(field) %}cast({{ field }} as varchar){% endmacro %}
{% macro any_value(expression) %}any_value({{ expression }}){% endmacro %}
{% macro bool_or(expression) %}bool_or({{ expression }}){% endmacro %}
{% macro split_part(string_text, delimiter_text, part_number) -%}
  string_split({{ string_text }}, {{ delimiter_text }})[{{ part_number }}]
{%- endmacro %}
{% macro length(expression) %}length({{ expression }}){% endmacro %}
{% macro position(substring_text, string_text) %}position({{ substring_text }} in {{ string_text }}){% endmacro %}
{% macro replace(field, old_chars, new_chars) %}replace({{ field }}, {{ old_chars }}, {{ new_chars }}){% endmacro %}
{% macro right(string_text, length_expression) %}right({{ string_text }}, {{ length_expression }}){% endmacro %}
{% macro escape_single_quotes(expression) %}{{ expression | replace("'", "''") }}{% endmacro %}
{% macro string_literal(value) %}'{{ value }}'{% endmacro %}
{% macro except() %}except{% endmacro %}
{% macro intersect() %}intersect{% endmacro %}
{% macro listagg(measure, delimiter_text="','", order_by_clause=none, limit_num=none) -%}
  {%- if limit_num -%}
    list_aggr((array_agg({{ measure }}{{ ' ' ~ order_by_clause if order_by_clause }}))[1:{{ limit_num }}], 'string_agg', {{ delimiter_text }})
  {%- else -%}
    string_agg({{ measure }}, {{ delimiter_text }}{{ ' ' ~ order_by_clause if order_by_clause }})
  {%- endif -%}
{%- endmacro %}
{% macro array_construct(inputs=[], data_type='integer') %}[{{ inputs | join(', ') }}]{% endmacro %}
{% macro array_append(array, new_element) %}array_append({{ array }}, {{ new_element }}){% endmacro %}
{% macro array_concat(array_1, array_2) %}array_concat({{ array_1 }}, {{ array_2 }}){% endmacro %}
{% macro type_string() %}varchar{% endmacro %}
{% macro type_timestamp() %}timestamp{% endmacro %}
{% macro type_float() %}float{% endmacro %}
{% macro type_numeric() %}numeric(28,6){% endmacro %}
{% macro type_bigint() %}bigint{% endmacro %}
{% macro type_int() %}int{% endmacro %}
{% macro type_boolean() %}boolean{% endmacro %}
{% macro current_timestamp() %}now(){% endmacro %}
{% macro generate_series(upper_bound) -%}
  select generate_series as generated_number from generate_series(1, {{ upper_bound }})
{%- endmacro %}
{% macro date_spine(datepart, start_date, end_date) -%}
with periods as (

    select unnest(range({{ datediff(start_date, end_date, datepart) }})) as steps

),

spine as (

    select {{ dateadd(datepart, 'steps', 'cast(' ~ start_date ~ ' as timestamp)') }} as date_{{ datepart }}
    from periods

)

select * from spine
where date_{{ datepart }} <= {{ end_date }}
{%- endmacro %}
`

const dbtUtils = `
{% macro surrogate_key(field_list) -%}
  {%- set fields = [field_list] if field_list is string else field_list -%}
  {{ surrogate_of(fields + varargs, '') }}
{%- endmacro %}
{% macro generate_surrogate_key(field_list) -%}
  {%- set is_empty = var('surrogate_key_treat_nulls_as_empty_strings', false) -%}
  {{ surrogate_of(field_list, '' if is_empty else '_dbt_utils_surrogate_key_null_') }}
{%- endmacro %}
{% macro surrogate_of(field_list, missing) -%}
  {%- set parts = [] -%}
  {%- for field in field_list -%}
    {%- do parts.append("coalesce(cast(" ~ field ~ " as varchar), '" ~ missing ~ "')") -%}
  {%- endfor -%}
  md5({{ parts | join(" || '-' || ") }})
{%- endmacro %}
{% macro safe_divide(numerator, denominator) %}({{ numerator }}) / nullif(({{ denominator }}), 0){% endmacro %}
{% macro safe_add(field_list) -%}
  {%- for field in ([field_list] if field_list is string else field_list) + varargs -%}
    coalesce({{ field }}, 0){{ ' + ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}
{% macro safe_subtract(field_list) -%}
  {%- for field in field_list -%}coalesce({{ field }}, 0){{ ' - ' if not loop.last }}{%- endfor -%}
{%- endmacro %}
{% macro group_by(n) %}group by {{ range(1, n + 1) | join(', ') }}{% endmacro %}
{% macro nullcheck(cols) -%}
  {%- for col in cols -%}
    {{ 'nullif(' ~ col.name ~ ", '')" if col.is_string() else col.name }}{{ ', ' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}
{% macro pivot(column, values, alias=true, agg='sum', cmp='=', prefix='', suffix='', then_value=1, else_value=0, quote_identifiers=true, distinct=false) -%}
  {%- for value in values -%}
    {{ agg }}({{ 'distinct ' if distinct }}case when {{ column }} {{ cmp }} '{{ dbt.escape_single_quotes(value) }}' then {{ then_value }} else {{ else_value }} end)
    {%- if alias -%}
      {%- set name = prefix ~ value ~ suffix %} as {{ '"' ~ name ~ '"' if quote_identifiers else slugify(name) }}
    {%- endif -%}
    {{ ',\n' if not loop.last }}
  {%- endfor -%}
{%- endmacro %}
{% macro deduplicate(relation, partition_by, order_by) -%}
  select * from {{ relation }} as source_rows
  qualify row_number() over (partition by {{ partition_by }} order by {{ order_by }}) = 1
{%- endmacro %}
{% macro width_bucket(expr, min_value, max_value, num_buckets) -%}
  case
    when {{ expr }} < {{ min_value }} then 0
    when {{ expr }} >= {{ max_value }} then {{ num_buckets }} + 1
    else cast(floor(({{ expr }} - {{ min_value }}) / (({{ max_value }} - {{ min_value }}) / {{ num_buckets }})) as integer) + 1
  end
{%- endmacro %}
{% macro generate_series(upper_bound) %}{{ dbt.generate_series(upper_bound) }}{% endmacro %}
{% macro date_spine(datepart, start_date, end_date) %}{{ dbt.date_spine(datepart, start_date, end_date) }}{% endmacro %}
`

export const library: readonly { readonly name: string; readonly template: Template }[] = [
  { name: 'dbt', template: { path: 'macros of dbt', text: dbt } },
  { name: 'dbt_utils', template: { path: 'macros of dbt_utils', text: dbtUtils } },
]

/** These ask the warehouse where they are installed, so the ones above take their place. */
export const preferred: ReadonlySet<string> = new Set([
  'dbt_utils.date_spine',
  'dbt_utils.get_intervals_between',
  'dbt_utils.generate_series',
  'dbt_utils.deduplicate',
])

/** What only a warehouse can answer, and what to write in its place. */
export const askingMacros: ReadonlyMap<string, string> = new Map([
  ['dbt_utils.get_column_values', 'Write the values out: {% set values = ["a", "b"] %}.'],
  ['dbt_utils.get_filtered_columns_in_relation', 'Write the names of the columns out.'],
  ['dbt_utils.get_relations_by_pattern', 'Write the relations out, with ref or source.'],
  ['dbt_utils.get_relations_by_prefix', 'Write the relations out, with ref or source.'],
  ['dbt_utils.get_query_results_as_dict', 'Write the results out, or make them an asset and join it.'],
  ['dbt_utils.get_single_value', 'Write the value out, or make it an asset and join it.'],
  ['dbt_utils.get_intervals_between', 'Use dbt_utils.date_spine, which is unrolled.'],
  ['dbt_utils.union_relations', 'Write the SELECTs with UNION ALL BY NAME between them.'],
  ['dbt_utils.unpivot', "Write DuckDB's UNPIVOT: UNPIVOT t ON a, b INTO NAME field_name VALUE value."],
])

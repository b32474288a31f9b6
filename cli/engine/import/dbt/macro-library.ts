/**
 * Macros of dbt itself and of dbt_utils whose SQL is the same on every engine. An engine's own library stands beside them: a
 * project whose packages are not installed is unrolled all the same, and none of them asks a warehouse. `date_spine` needs
 * the engine's `numbers_below(count)`, which gives rows with the numbers from 0 to below `count`.
 */
import type { DbtDialect } from './dialect.ts'

const dbt = `{% macro concat(fields) %}{{ fields | join(' || ') }}{% endmacro %}
{% macro hash(field) %}md5(cast({{ field }} as varchar)){% endmacro %}
{% macro date_trunc(datepart, date) %}date_trunc('{{ datepart }}', {{ date }}){% endmacro %}
{% macro last_day(date, datepart) -%}
  cast({{ dateadd('day', '-1', dateadd(datepart, '1', date_trunc(datepart, date))) }} as date)
{%- endmacro %}
{% macro date(year, month, day) %}make_date({{ year }}, {{ month }}, {{ day }}){% endmacro %}
{% macro safe_cast(field, type) %}cast({{ field }} as {{ type }}){% endmacro %}
{% macro cast(field, type) %}cast({{ field }} as {{ type }}){% endmacro %}
{% macro cast_bool_to_text(field) %}cast({{ field }} as varchar){% endmacro %}
{% macro bool_or(expression) %}bool_or({{ expression }}){% endmacro %}
{% macro length(expression) %}length({{ expression }}){% endmacro %}
{% macro position(substring_text, string_text) %}position({{ substring_text }} in {{ string_text }}){% endmacro %}
{% macro replace(field, old_chars, new_chars) %}replace({{ field }}, {{ old_chars }}, {{ new_chars }}){% endmacro %}
{% macro right(string_text, length_expression) %}right({{ string_text }}, {{ length_expression }}){% endmacro %}
{% macro escape_single_quotes(expression) %}{{ expression | replace("'", "''") }}{% endmacro %}
{% macro string_literal(value) %}'{{ value }}'{% endmacro %}
{% macro except() %}except{% endmacro %}
{% macro intersect() %}intersect{% endmacro %}
{% macro array_append(array, new_element) %}array_append({{ array }}, {{ new_element }}){% endmacro %}
{% macro type_float() %}float{% endmacro %}
{% macro type_numeric() %}numeric(28,6){% endmacro %}
{% macro type_bigint() %}bigint{% endmacro %}
{% macro type_int() %}int{% endmacro %}
{% macro type_boolean() %}boolean{% endmacro %}
{% macro current_timestamp() %}now(){% endmacro %}
{% macro generate_series(upper_bound) -%}
  select cast(generate_series as {{ type_double() }}) as generated_number from generate_series(1, {{ upper_bound }})
{%- endmacro %}
{% macro date_spine(datepart, start_date, end_date) -%}
with periods as (

    select {{ numbers_below(datediff(start_date, end_date, datepart)) }} as steps

),

spine as (

    select {{ dateadd(datepart, 'steps', 'cast(' ~ start_date ~ ' as timestamp)') }} as date_{{ datepart }}
    from periods

)

select * from spine
where date_{{ datepart }} <= {{ end_date }}
{%- endmacro %}
`

const dbtUtils = `{% macro surrogate_key(field_list) -%}
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
{% macro haversine_distance(lat1, lon1, lat2, lon2, unit='mi') -%}
  2 * 3961 * asin(sqrt(
    power(sin(radians(({{ lat2 }} - {{ lat1 }}) / 2)), 2)
    + cos(radians({{ lat1 }})) * cos(radians({{ lat2 }})) * power(sin(radians(({{ lon2 }} - {{ lon1 }}) / 2)), 2)
  )) * {{ 1.60934 if unit == 'km' else 1 }}
{%- endmacro %}
{% macro get_filtered_columns_in_relation(from, except=[]) -%}
  {{ return(adapter.get_columns_in_relation(from) | map(attribute='name') | reject('in', except) | list) }}
{%- endmacro %}
{% macro union_relations(relations, column_override=none, include=[], exclude=[], source_column_name='_dbt_source_relation', where=none) -%}
  {%- set types = {} -%}
  {%- set lists = [] -%}
  {%- for relation in relations -%}
    {%- set names = [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
      {%- set name = column.name | lower -%}
      {%- if name not in (exclude | map('lower') | list) and (not include or name in (include | map('lower') | list)) -%}
        {%- do names.append(column.name) -%}
        {%- do types.setdefault(column.name, column.data_type if column.known_type else none) -%}
      {%- endif -%}
    {%- endfor -%}
    {%- do lists.append(names) -%}
  {%- endfor -%}
  {%- for relation in relations -%}
    {%- set names = lists[loop.index0] -%}
(
  select
{%- if source_column_name is not none %}
    cast('{{ relation }}' as {{ dbt.type_string() }}) as {{ source_column_name }},
{%- endif %}
{%- for name, found in types.items() %}
    {%- set value = adapter.quote(name) if name in names else 'null' %}
    {%- set type = (column_override or {}).get(name, found) %}
    {{ 'cast(' ~ value ~ ' as ' ~ type ~ ')' if type else value }} as {{ adapter.quote(name) }}{{ ',' if not loop.last }}
{%- endfor %}
  from {{ relation }}
{%- if where %}
  where {{ where }}
{%- endif %}
)
{%- if not loop.last %}
union all
{% endif -%}
  {%- endfor -%}
{%- endmacro %}
{% macro unpivot(relation=none, cast_to='varchar', exclude=none, remove=none, field_name='field_name', value_name='value', quote_identifiers=false) -%}
  {%- set kept = exclude or [] -%}
  {%- set others = (kept + (remove or [])) | map('lower') | list -%}
  {%- set columns = [] -%}
  {%- for column in adapter.get_columns_in_relation(relation) if column.name | lower not in others -%}
    {%- do columns.append(column) -%}
  {%- endfor -%}
  {%- for column in columns -%}
    {%- set value = adapter.quote(column.name) if quote_identifiers else column.name -%}
select
{%- for name in kept %}
  {{ adapter.quote(name) if quote_identifiers else name }},
{%- endfor %}
  cast('{{ column.name }}' as {{ dbt.type_string() }}) as {{ adapter.quote(field_name) if quote_identifiers else field_name }},
  cast({{ dbt.cast_bool_to_text(value) if (column.known_type or '') | lower == 'boolean' else value }} as {{ cast_to }}) as {{ adapter.quote(value_name) if quote_identifiers else value_name }}
from {{ relation }}
{%- if not loop.last %}
union all
{% endif -%}
  {%- endfor -%}
{%- endmacro %}
{% macro generate_series(upper_bound) %}{{ dbt.generate_series(upper_bound) }}{% endmacro %}
{% macro date_spine(datepart, start_date, end_date) %}{{ dbt.date_spine(datepart, start_date, end_date) }}{% endmacro %}
`

const dbtDate = `{% macro date_spine(datepart, start_date, end_date) %}{{ dbt.date_spine(datepart, start_date, end_date) }}{% endmacro %}
`

/** Puts an engine's own macros behind the common ones. */
export function libraryWith(own: { readonly dbt: string; readonly dbtUtils: string }): DbtDialect['library'] {
  return [
    { name: 'dbt', template: { path: 'macros of dbt', text: dbt + own.dbt } },
    { name: 'dbt_utils', template: { path: 'macros of dbt_utils', text: dbtUtils + own.dbtUtils } },
    { name: 'dbt_date', template: { path: 'macros of dbt_date', text: dbtDate } },
  ]
}

/** These ask the warehouse where they are installed, so those of the library take their place. */
export const preferred: ReadonlySet<string> = new Set([
  'dbt_utils.date_spine',
  'dbt_date.date_spine',
  'dbt_utils.get_intervals_between',
  'dbt_utils.generate_series',
  'dbt_utils.deduplicate',
  'dbt_utils.get_filtered_columns_in_relation',
  'dbt_utils.union_relations',
  'dbt_utils.unpivot',
])

/** What only a warehouse can answer, and what to write in its place. */
export const askingMacros: readonly (readonly [string, string])[] = [
  ['dbt_utils.get_column_values', 'Write the values out: {% set values = ["a", "b"] %}.'],
  ['dbt_utils.get_relations_by_pattern', 'Write the relations out, with ref or source.'],
  ['dbt_utils.get_relations_by_prefix', 'Write the relations out, with ref or source.'],
  ['dbt_utils.get_query_results_as_dict', 'Write the results out, or make them an asset and join it.'],
  ['dbt_utils.get_single_value', 'Write the value out, or make it an asset and join it.'],
  ['dbt_utils.get_intervals_between', 'Use dbt_utils.date_spine, which is unrolled.'],
]

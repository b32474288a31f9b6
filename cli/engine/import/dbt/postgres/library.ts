/** The macros of dbt itself and of dbt_utils that PostgreSQL writes in its own way. */
import { askingMacros as anywhere, libraryWith } from '../macro-library.ts'

const dbt = `
{% macro dateadd(datepart, interval, from_date_or_timestamp) -%}
  {%- set unit = datepart | lower | trim -%}
  {%- if unit == 'quarter' -%}
    ({{ from_date_or_timestamp }} + ({{ interval }}) * 3 * interval '1 month')
  {%- else -%}
    ({{ from_date_or_timestamp }} + ({{ interval }}) * interval '1 {{ unit }}')
  {%- endif -%}
{%- endmacro %}
{% macro datediff(first_date, second_date, datepart) -%}
  {%- set unit = datepart | lower | trim -%}
  {%- set first = 'cast(' ~ first_date ~ ' as timestamp)' -%}
  {%- set second = 'cast(' ~ second_date ~ ' as timestamp)' -%}
  {%- set months = {'year': 12, 'quarter': 3, 'month': 1} -%}
  {%- set seconds = {'hour': 3600, 'minute': 60, 'second': 1} -%}
  {%- if unit in months -%}
    (((date_part('year', date_trunc('{{ unit }}', {{ second }})) - date_part('year', date_trunc('{{ unit }}', {{ first }}))) * 12
      + date_part('month', date_trunc('{{ unit }}', {{ second }})) - date_part('month', date_trunc('{{ unit }}', {{ first }}))) / {{ months[unit] }})::bigint
  {%- elif unit == 'week' -%}
    ((date_trunc('week', {{ second }} + interval '1 day')::date - date_trunc('week', {{ first }} + interval '1 day')::date) / 7)
  {%- elif unit == 'day' -%}
    ({{ second }}::date - {{ first }}::date)
  {%- elif unit in seconds -%}
    ((extract(epoch from date_trunc('{{ unit }}', {{ second }})) - extract(epoch from date_trunc('{{ unit }}', {{ first }}))) / {{ seconds[unit] }})::bigint
  {%- elif unit == 'millisecond' -%}
    (extract(epoch from {{ second }} - {{ first }}) * 1000)::bigint
  {%- elif unit == 'microsecond' -%}
    (extract(epoch from {{ second }} - {{ first }}) * 1000000)::bigint
  {%- else -%}
    {{ exceptions.raise_compiler_error('datediff has no unit "' ~ datepart ~ '" on PostgreSQL') }}
  {%- endif -%}
{%- endmacro %}
{% macro any_value(expression) %}(array_agg({{ expression }}))[1]{% endmacro %}
{% macro split_part(string_text, delimiter_text, part_number) -%}
  split_part({{ string_text }}, {{ delimiter_text }}, {{ part_number }})
{%- endmacro %}
{% macro listagg(measure, delimiter_text="','", order_by_clause=none, limit_num=none) -%}
  {%- if limit_num -%}
    array_to_string((array_agg({{ measure }}{{ ' ' ~ order_by_clause if order_by_clause }}))[1:{{ limit_num }}], {{ delimiter_text }})
  {%- else -%}
    string_agg({{ measure }}, {{ delimiter_text }}{{ ' ' ~ order_by_clause if order_by_clause }})
  {%- endif -%}
{%- endmacro %}
{% macro array_construct(inputs=[], data_type='integer') -%}
  {{ 'array[' ~ inputs | join(', ') ~ ']' if inputs else "'{}'::" ~ data_type ~ '[]' }}
{%- endmacro %}
{% macro array_concat(array_1, array_2) %}array_cat({{ array_1 }}, {{ array_2 }}){% endmacro %}
{% macro type_string() %}text{% endmacro %}
{% macro type_timestamp() %}timestamp without time zone{% endmacro %}
{% macro type_double() %}double precision{% endmacro %}
{% macro numbers_below(count) %}generate_series(0, {{ count }} - 1){% endmacro %}
`

const dbtUtils = `
{% macro deduplicate(relation, partition_by, order_by) -%}
  select distinct on ({{ partition_by }}) * from {{ relation }} as source_rows
  order by {{ partition_by }}, {{ order_by }}
{%- endmacro %}
{% macro width_bucket(expr, min_value, max_value, num_buckets) -%}
  width_bucket({{ expr }}, {{ min_value }}, {{ max_value }}, {{ num_buckets }})
{%- endmacro %}
`

export const library = libraryWith({ dbt, dbtUtils })

/** What only a warehouse can answer, and what to write in its place. */
export const askingMacros: ReadonlyMap<string, string> = new Map([...anywhere])

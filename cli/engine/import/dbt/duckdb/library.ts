/** The macros of dbt itself and of dbt_utils that DuckDB writes in its own way. */
import { askingMacros as anywhere, libraryWith } from '../macro-library.ts'

const dbt = `
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
{% macro any_value(expression) %}any_value({{ expression }}){% endmacro %}
{% macro split_part(string_text, delimiter_text, part_number) -%}
  string_split({{ string_text }}, {{ delimiter_text }})[{{ part_number }}]
{%- endmacro %}
{% macro listagg(measure, delimiter_text="','", order_by_clause=none, limit_num=none) -%}
  {%- if limit_num -%}
    list_aggr((array_agg({{ measure }}{{ ' ' ~ order_by_clause if order_by_clause }}))[1:{{ limit_num }}], 'string_agg', {{ delimiter_text }})
  {%- else -%}
    string_agg({{ measure }}, {{ delimiter_text }}{{ ' ' ~ order_by_clause if order_by_clause }})
  {%- endif -%}
{%- endmacro %}
{% macro array_construct(inputs=[], data_type='integer') %}[{{ inputs | join(', ') }}]{% endmacro %}
{% macro array_concat(array_1, array_2) %}array_concat({{ array_1 }}, {{ array_2 }}){% endmacro %}
{% macro type_string() %}varchar{% endmacro %}
{% macro type_double() %}double{% endmacro %}
{% macro type_timestamp() %}timestamp{% endmacro %}
{% macro numbers_below(count) %}unnest(range({{ count }})){% endmacro %}
`

const dbtUtils = `
{% macro deduplicate(relation, partition_by, order_by) -%}
  select * from {{ relation }} as source_rows
  qualify row_number() over (partition by {{ partition_by }} order by {{ order_by }}) = 1
{%- endmacro %}
{% macro width_bucket(expr, min_value, max_value, num_buckets) -%}
  cast(case
    when {{ expr }} < {{ min_value }} then 0
    when {{ expr }} >= {{ max_value }} then {{ num_buckets }} + 1
    else floor(({{ expr }} - {{ min_value }}) / (({{ max_value }} - {{ min_value }}) / {{ num_buckets }})) + 1
  end as double)
{%- endmacro %}
`

export const library = libraryWith({ dbt, dbtUtils })

/** What only a warehouse can answer, and what to write in its place. */
export const askingMacros: ReadonlyMap<string, string> = new Map([...anywhere])

/**
 * A type that stands for one that nobody knows. Its values take part in whatever those of some type do: each can
 * become a value of any other type, and operators and the usual functions give such a value again. Without it a column
 * of unknown type would be a text, and every sum of it an error.
 */
export const unknownTypeName = 'svc unknown'
/** All that is called for its values has a schema of its own: beside it a literal without a type would mean several things. */
export const unknownSchema = '"svc: unknown"'
export const unknownType = `${unknownSchema}."${unknownTypeName}"`

/** The names of a statement that reads no value of unknown type are looked up as a run does (in pg_catalog alone), those of others here too. */
export const searchPaths = {
  usual: 'pg_catalog',
  withUnknown: `${unknownSchema}, pg_catalog`,
}

/** What no operator is chosen for by itself, as several could be meant. */
const others = [
  ...['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision', 'boolean'],
  ...['text', 'character varying', 'date', 'time', 'timestamp', 'timestamp with time zone', 'interval'],
  ...['json', 'jsonb', 'uuid', 'bytea', 'text[]', 'bigint[]', 'integer[]'],
]
const comparing = '= <> < <= > >= ~ ~* !~ !~* ~~ ~~* !~~ !~~* @> <@ && ?'.split(' ')
const combining = ['+', '-', '*', '/', '%', '^', '||', '->', '->>', '#>', '#>>']

const nothing = (type: string) => `LANGUAGE sql AS 'SELECT NULL::${type}'`

/** Makes the type, which is stored like a text; no value of it is ever made, and none of its functions called. */
export const makeUnknownType = (): readonly string[] => [
  `CREATE SCHEMA ${unknownSchema}`,
  `SET search_path = ${searchPaths.withUnknown}`,
  `CREATE TYPE ${unknownType}`,
  `CREATE FUNCTION "svc in"(cstring) RETURNS ${unknownType} LANGUAGE internal IMMUTABLE STRICT AS 'textin'`,
  `CREATE FUNCTION "svc out"(${unknownType}) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout'`,
  `CREATE TYPE ${unknownType} (INPUT = "svc in", OUTPUT = "svc out", LIKE = text)`,
  forEach(
    `SELECT format_type(oid, NULL) FROM pg_type WHERE typtype IN ('b', 'r', 'm') AND typname !~ '^pg_'
      AND typnamespace = 'pg_catalog'::regnamespace`,
    `CREATE CAST (${unknownType} AS %s) WITH INOUT AS IMPLICIT`,
  ),
  ...pairs().flatMap(([left, right]) => [
    `CREATE FUNCTION "svc compare"(${left}, ${right}) RETURNS boolean ${nothing('boolean')}`,
    `CREATE FUNCTION "svc combine"(${left}, ${right}) RETURNS ${unknownType} ${nothing(unknownType)}`,
    ...comparing.map(symbol => operator(symbol, left, right, 'svc compare')),
    ...combining.map(symbol => operator(symbol, left, right, 'svc combine')),
  ]),
  // It can be grouped and sorted by.
  `CREATE FUNCTION "svc order"(${unknownType}, ${unknownType}) RETURNS integer LANGUAGE internal IMMUTABLE STRICT AS 'bttextcmp'`,
  `CREATE OPERATOR CLASS "svc order" DEFAULT FOR TYPE ${unknownType} USING btree
    AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 "svc order"(${unknownType}, ${unknownType})`,
  ...['avg', 'max', 'min', 'sum'].map(
    name => `CREATE AGGREGATE ${name}(${unknownType}) (SFUNC = "svc combine", STYPE = ${unknownType})`,
  ),
  forEach(
    `SELECT quote_ident(proname) FROM pg_proc WHERE pronargs = 1 AND prokind = 'f' AND NOT proretset
      AND pronamespace = 'pg_catalog'::regnamespace GROUP BY proname HAVING count(*) > 1`,
    `CREATE FUNCTION %s(${unknownType}) RETURNS ${unknownType} LANGUAGE sql AS ''SELECT $1''`,
  ),
  ...['date_part', 'date_trunc'].map(
    name => `CREATE FUNCTION ${name}(text, ${unknownType}) RETURNS ${unknownType} ${nothing(unknownType)}`,
  ),
  `CREATE FUNCTION to_char(${unknownType}, text) RETURNS text ${nothing('text')}`,
  `SET search_path = ${searchPaths.usual}`,
]

function pairs(): readonly (readonly [left: string, right: string])[] {
  const mixed = others.flatMap(
    type =>
      [
        [unknownType, type],
        [type, unknownType],
      ] as const,
  )
  return [[unknownType, unknownType], ...mixed]
}

function operator(symbol: string, left: string, right: string, called: string): string {
  return `CREATE OPERATOR ${symbol} (LEFTARG = ${left}, RIGHTARG = ${right}, FUNCTION = "${called}")`
}

/** Runs a statement for each text that a query finds; `%s` stands for the text. */
function forEach(query: string, statement: string): string {
  return `DO $body$ DECLARE found text; BEGIN FOR found IN ${query} LOOP EXECUTE format('${statement}', found); END LOOP; END $body$`
}

/**
 * A type that stands for one that nobody knows: each of its values can become a value of any other type. Without it
 * a column of unknown type would be a text, and every sum of it an error.
 */
export const unknownType = '"svc unknown"'

/** Makes the type. It is stored like a text, but no value of it is ever made. */
export const makeUnknownType: readonly string[] = [
  `CREATE TYPE ${unknownType}`,
  `CREATE FUNCTION "svc unknown in"(cstring) RETURNS ${unknownType} LANGUAGE internal IMMUTABLE STRICT AS 'textin'`,
  `CREATE FUNCTION "svc unknown out"(${unknownType}) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout'`,
  `CREATE TYPE ${unknownType} (INPUT = "svc unknown in", OUTPUT = "svc unknown out", LIKE = text)`,
  `DO $$
    DECLARE name text;
    BEGIN
      FOR name IN SELECT format_type(oid, NULL) FROM pg_type
        WHERE typtype IN ('b', 'r', 'm') AND typnamespace = 'pg_catalog'::regnamespace AND typname !~ '^pg_'
      LOOP
        EXECUTE format('CREATE CAST (${unknownType} AS %s) WITH INOUT AS IMPLICIT', name);
      END LOOP;
    END $$`,
]

-- A number with so many decimals, halves away from zero, as floating point: the same on every warehouse.
CREATE MACRO rounded(value, digits := 2) AS
  sign(value) * floor(abs(value) * power(10, digits) + 0.5) / power(10, digits);

-- How much each of `things` has of `amount`: minutes of delay a flight, for example. Nothing where there are none.
CREATE MACRO average(amount, things, digits := 2) AS
  {{ rounded(CAST(amount AS double precision) / nullif(things, 0), digits) }};

-- The share of `part` in `whole` in percent.
CREATE MACRO percent(part, whole, digits := 1) AS
  {{ rounded(100 * CAST(part AS double precision) / nullif(whole, 0), digits) }};

SELECT * FROM (VALUES
  ('early', 1::BIGINT, (-100000)::BIGINT, 0::BIGINT), ('on time', 2, 0, 15), ('late', 3, 15, 60),
  ('very late', 4, 60, 180), ('lost day', 5, 180, 100000)
) AS list(band, position, from_minutes, below_minutes)

SELECT
  id,
  TIMESTAMP '1970-01-01' + to_milliseconds(p.time) AS happened_at,
  p.mag::DOUBLE AS magnitude,
  p.type AS kind,
  p.place AS place,
  p.net AS network,
  c[1] AS longitude,
  c[2] AS latitude,
  c[3] AS depth_km,
  len(list_filter(string_split(p.types, ','), lambda x: x <> '')) AS product_count,
  p.types LIKE '%,shakemap,%' AS has_shakemap
FROM raw_quakes

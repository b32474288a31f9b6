WITH distances AS (
  SELECT q.id, q.p.time AS millis, q.p.mag::DOUBLE AS mag, q.c[3] AS depth, a.iata,
    ifnull((SELECT s.region FROM state_list s WHERE s.code = a.state), 'Elsewhere') AS region,
    2 * 6371 * asin(sqrt(
      pow(sin(radians(a.latitude - q.c[2]) / 2), 2)
      + cos(radians(q.c[2])) * cos(radians(a.latitude)) * pow(sin(radians(a.longitude - q.c[1]) / 2), 2)
    )) AS km
  FROM raw_quakes q JOIN raw_airports a ON a.latitude > q.c[2] - 2 AND a.latitude < q.c[2] + 2
  WHERE q.p.type = 'earthquake'
)
SELECT id AS quake_id, TIMESTAMP '1970-01-01' + to_milliseconds(nearest.millis) AS happened_at,
  nearest.mag AS magnitude, nearest.depth AS depth_km, nearest.iata AS iata, nearest.region AS region,
  round(nearest.km, 1) AS distance_km
FROM (
  SELECT id, min_by({'millis': millis, 'mag': mag, 'depth': depth, 'iata': iata, 'region': region, 'km': km}, (km, iata)) AS nearest
  FROM distances GROUP BY id
)

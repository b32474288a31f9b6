WITH distances AS (
  SELECT q.id, q.p.time AS millis, q.p.mag::DOUBLE AS mag, a.iata,
    2 * 6371 * asin(sqrt(
      pow(sin(radians(a.latitude - q.c[2]) / 2), 2)
      + cos(radians(q.c[2])) * cos(radians(a.latitude)) * pow(sin(radians(a.longitude - q.c[1]) / 2), 2)
    )) AS km
  FROM raw_quakes q JOIN raw_airports a ON abs(a.latitude - q.c[2]) < 2
  WHERE q.p.type = 'earthquake'
), nearest AS (
  SELECT id, min_by({'iata': iata, 'km': round(km, 1), 'millis': millis, 'mag': mag}, (km, iata)) AS n
  FROM distances GROUP BY id
)
SELECT a.iata, a.name AS airport_name, ifnull(s.region, 'Elsewhere') AS region, count(*) AS quakes, max(n.mag) AS strongest,
  TIMESTAMP '1970-01-01' + to_milliseconds(max(n.millis)) AS last_felt_at, min(n.km) AS nearest_km,
  (SELECT count(*) FROM raw_flights f WHERE f.origin = a.iata) AS departures
FROM nearest JOIN raw_airports a ON a.iata = n.iata LEFT JOIN state_list s ON s.code = a.state
WHERE n.km <= 150
GROUP BY a.iata, a.name, s.region

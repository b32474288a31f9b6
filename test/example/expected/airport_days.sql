SELECT
  coalesce(outbound.day, inbound.day) AS flight_day,
  coalesce(outbound.iata, inbound.iata) AS iata,
  coalesce(outbound.flights, 0)::BIGINT AS departures,
  coalesce(inbound.flights, 0)::BIGINT AS arrivals,
  coalesce(outbound.late, 0)::BIGINT AS late_departures,
  coalesce(outbound.delay, 0)::BIGINT AS departure_delay_total
FROM (
  SELECT date::DATE AS day, origin AS iata, count(*) AS flights, countif(delay >= 15) AS late, sum(delay) AS delay
  FROM raw_flights GROUP BY ALL
) AS outbound
FULL JOIN (
  SELECT date::DATE AS day, destination AS iata, count(*) AS flights FROM raw_flights GROUP BY ALL
) AS inbound ON inbound.day = outbound.day AND inbound.iata = outbound.iata

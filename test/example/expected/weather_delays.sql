SELECT w.location, month(w.date)::INTEGER AS calendar_month,
  round(avg(w.precipitation), 1) AS rain_mm_per_day, round(avg(w.temp_max), 1) AS warmest_c,
  countif(w.weather = 'snow')::BIGINT AS snow_days,
  any_value(f.flights)::BIGINT AS departures, any_value(f.average_delay) AS average_delay
FROM raw_weather w
JOIN (
  SELECT if(origin = 'SEA', 'Seattle', 'New York') AS location, month(date) AS month, count(*) AS flights,
    round(sum(delay) / count(*), 2) AS average_delay
  FROM raw_flights WHERE origin IN ('SEA', 'JFK', 'LGA') GROUP BY ALL
) AS f ON f.location = w.location AND f.month = month(w.date)
GROUP BY ALL

SELECT location, date AS weather_day, precipitation AS precipitation_mm, temp_max AS warmest_c, temp_min AS coldest_c,
  wind AS wind_ms, weather AS sky
FROM raw_weather

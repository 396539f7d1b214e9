#!/bin/sh
# Client of a server started by `npx evenhand serve runs/fraud`: sh predict-over-http.sh http://127.0.0.1:8080 rows.csv
# If the server requires a token, set EVENHAND_TOKEN. Use Content-Type: application/json for JSON, and image/jpeg for a photo.
set -eu
curl --silent --show-error --fail-with-body --retry 5 \
  --header "Authorization: Bearer ${EVENHAND_TOKEN:-}" \
  --header 'Content-Type: text/csv' \
  --header 'Accept: text/csv' \
  --data-binary "@$2" \
  "$1/predict"

#!/bin/sh
# Asks a server that `npx evenhand serve runs/fraud` has started: sh predict-over-http.sh http://127.0.0.1:8080 rows.csv
# A token, if the server wants one, is in EVENHAND_TOKEN. For JSON, Content-Type: application/json; for a photo, image/jpeg.
set -eu
curl --silent --show-error --fail-with-body --retry 5 \
  --header "Authorization: Bearer ${EVENHAND_TOKEN:-}" \
  --header 'Content-Type: text/csv' \
  --header 'Accept: text/csv' \
  --data-binary "@$2" \
  "$1/predict"

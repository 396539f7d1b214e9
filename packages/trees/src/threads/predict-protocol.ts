/** Rows that a thread is asked for. */
export interface PredictRequest {
  readonly values: Float32Array;
  readonly columns: number;
  readonly memberOf?: Int32Array;
}

/** What it makes of them. */
export interface PredictResponse {
  readonly probabilities: Float32Array;
}

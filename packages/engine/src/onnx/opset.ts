import { create } from '@bufbuild/protobuf';
import { type OperatorSetIdProto, OperatorSetIdProtoSchema } from 'onnx-buf';

/** Versions of sets of operators: those that every current tool reads. ONNX's own set has no name. */
const VERSIONS = new Map([
  ['', 19n],
  ['ai.onnx.ml', 2n],
]);

/** The version of a set of operators that our nodes are written for. */
export function opsetOf(domain: string): OperatorSetIdProto {
  return create(OperatorSetIdProtoSchema, { domain, version: VERSIONS.get(domain) ?? 1n });
}

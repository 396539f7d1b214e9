import { create } from '@bufbuild/protobuf';
import { type TensorProto, TensorProto_DataType, TensorProtoSchema } from 'onnx-buf';
import { bytesOf } from '../graph/bytes.js';
import { type ElementType, elementTypeOf, type Shape, type TensorData } from '../graph/tensor.js';

/** Element types of ONNX: those that the engine computes with, and others that a model may take and give. */
export type OnnxType = ElementType | 'float64' | 'string';

/** ONNX's numbers for element types. */
export const DATA_TYPES: Readonly<Record<OnnxType, TensorProto_DataType>> = {
  float32: TensorProto_DataType.FLOAT,
  float64: TensorProto_DataType.DOUBLE,
  int64: TensorProto_DataType.INT64,
  int32: TensorProto_DataType.INT32,
  uint8: TensorProto_DataType.UINT8,
  bool: TensorProto_DataType.BOOL,
  string: TensorProto_DataType.STRING,
};

export function tensorProto(
  name: string,
  data: TensorData | Float64Array | readonly string[],
  shape: Shape,
): TensorProto {
  const content = isTexts(data) ? { stringData: data.map(encodeText) } : { rawData: bytesOf(data) };
  return create(TensorProtoSchema, {
    name,
    dataType: DATA_TYPES[typeOf(data)],
    dims: shape.map(BigInt),
    ...content,
  });
}

function typeOf(data: TensorData | Float64Array | readonly string[]): OnnxType {
  if (isTexts(data)) return 'string';
  return data instanceof Float64Array ? 'float64' : elementTypeOf(data);
}

function isTexts(data: ArrayBufferView | readonly string[]): data is readonly string[] {
  return Array.isArray(data);
}

/** Text as ONNX stores it. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

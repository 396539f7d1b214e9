import { create } from '@bufbuild/protobuf';
import { type TensorProto, TensorProto_DataType, TensorProtoSchema } from 'onnx-buf';
import { bytesOf } from '../graph/bytes.js';
import type { ConstantData, ElementType, Shape } from '../graph/tensor.js';

/** ONNX's numbers for our element types. */
export const DATA_TYPES: Readonly<Record<ElementType, TensorProto_DataType>> = {
  float32: TensorProto_DataType.FLOAT,
  int64: TensorProto_DataType.INT64,
  int32: TensorProto_DataType.INT32,
  uint8: TensorProto_DataType.UINT8,
  bool: TensorProto_DataType.BOOL,
};

export function tensorProto(name: string, data: ConstantData, shape: Shape): TensorProto {
  return create(TensorProtoSchema, {
    name,
    dataType: dataTypeOf(data),
    dims: shape.map(BigInt),
    rawData: bytesOf(data),
  });
}

function dataTypeOf(data: ConstantData): TensorProto_DataType {
  if (data instanceof Float32Array) return TensorProto_DataType.FLOAT;
  if (data instanceof BigInt64Array) return TensorProto_DataType.INT64;
  return data instanceof Int32Array ? TensorProto_DataType.INT32 : TensorProto_DataType.UINT8;
}

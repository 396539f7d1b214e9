import { create } from '@bufbuild/protobuf';
import {
  type TensorShapeProto_Dimension,
  TensorShapeProto_DimensionSchema,
  type ValueInfoProto,
  ValueInfoProtoSchema,
} from 'onnx-buf';
import { DATA_TYPES, type OnnxType } from './tensor-proto.js';

/** What a model says of an input or output. An axis is its size, or a dimension of another value that it shares. */
export function valueInfo(
  name: string,
  type: OnnxType,
  axes: readonly (number | TensorShapeProto_Dimension)[],
): ValueInfoProto {
  const dim = axes.map((axis) => (typeof axis === 'number' ? dimension(axis) : axis));
  return create(ValueInfoProtoSchema, {
    name,
    type: { value: { case: 'tensorType', value: { elemType: DATA_TYPES[type], shape: { dim } } } },
  });
}

function dimension(size: number): TensorShapeProto_Dimension {
  return create(TensorShapeProto_DimensionSchema, { value: { case: 'dimValue', value: BigInt(size) } });
}

/** The axes of an input or output. */
export function axesOf({ type }: ValueInfoProto): readonly TensorShapeProto_Dimension[] {
  return type?.value.case === 'tensorType' ? (type.value.value.shape?.dim ?? []) : [];
}

import type { ColumnType } from '../dataset/column.js';
import { hasTooManyClasses } from '../dataset/many-classes.js';
import { columnTypes, type ServedModel } from './served-model.js';

/** A part of a JSON Schema or of an OpenAPI document. */
type Json = { readonly [name: string]: unknown };

/** The OpenAPI 3.1 document of a server: what it answers, with the columns and classes of its model. */
export function openApiDocument(model: ServedModel, hasToken: boolean, packageVersion: string): Json {
  const token = hasToken ? { security: [{ token: [] }] } : {};
  const failures = Object.fromEntries(
    Object.entries({ ...PREDICT_FAILURES, ...(hasToken ? TOKEN_FAILURE : {}) }).map(([status, description]) => [
      status,
      response(description, { $ref: '#/components/schemas/Problem' }),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `${model.name}, served by evenhand`,
      description: `Predicts one of ${model.classNames.length} classes.`,
      version: `${packageVersion}+${model.version}`,
    },
    ...token,
    paths: {
      '/predict': {
        post: {
          operationId: 'predict',
          summary: 'Predicts the classes of rows, or of an image.',
          parameters: model.preprocessing.kind === 'table' ? [UNKNOWN] : [],
          requestBody: { required: true, content: requestContent(model) },
          responses: { 200: predictResponse(), ...failures },
        },
      },
      '/model': { get: operation('model', 'What the model takes and answers.', 'application/json') },
      '/health': { get: { ...operation('health', 'Whether the server answers.', 'application/json'), security: [] } },
      '/metrics': { get: operation('metrics', 'Counters in the text format of Prometheus.', 'text/plain') },
      '/openapi.json': { get: operation('openapi', 'This document.', 'application/json') },
    },
    components: {
      schemas: { ...modelSchemas(model), Problem: PROBLEM },
      ...(hasToken ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  };
}

const PREDICT_FAILURES = {
  400: 'The body cannot be read.',
  413: 'The body is too large.',
  415: 'The model does not take this type of content.',
  422: 'A column or a value is not one that the model can use.',
  503: 'Too many rows are waiting; Retry-After says when to ask again.',
};
const TOKEN_FAILURE = { 401: 'The token is missing or wrong.' };

const UNKNOWN: Json = {
  name: 'unknown',
  in: 'query',
  description: 'What to do with columns that the model does not know.',
  schema: { type: 'string', enum: ['refuse', 'ignore'], default: 'refuse' },
};

const PROBLEM: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['status', 'message'],
      properties: { status: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

function response(description: string, schema: Json, type = 'application/json'): Json {
  return { description, content: { [type]: { schema } } };
}

function operation(operationId: string, summary: string, type: string): Json {
  const schema = { type: type === 'text/plain' ? 'string' : 'object' };
  return { operationId, summary, responses: { 200: response(summary, schema, type) } };
}

function predictResponse(): Json {
  const answers = { $ref: '#/components/schemas/Answers' };
  return {
    description: 'An answer to every row, in their order.',
    content: { 'application/json': { schema: answers }, 'text/csv': { schema: { type: 'string' } } },
  };
}

function requestContent({ preprocessing }: ServedModel): Json {
  if (preprocessing.kind === 'images') {
    return Object.fromEntries(['image/jpeg', 'image/png', 'image/webp'].map((type) => [type, {}]));
  }
  const row = { $ref: '#/components/schemas/Row' };
  return {
    'application/json': { schema: { oneOf: [row, { type: 'array', items: row }] } },
    'text/csv': { schema: { type: 'string' } },
    'application/x-ndjson': { schema: { type: 'string' } },
  };
}

function modelSchemas({ preprocessing, classNames }: ServedModel): Json {
  const one = { type: 'string', enum: classNames };
  const isLong = hasTooManyClasses(classNames.length);
  const likely = { type: 'object', properties: { class: { type: 'string' }, probability: { type: 'number' } } };
  const details = isLong
    ? { likeliest: { type: 'array', items: likely } }
    : { probabilities: { type: 'object', additionalProperties: { type: 'number' } } };
  const answers = {
    type: 'object',
    required: ['model', 'predictions', 'notes'],
    properties: {
      model: { type: 'string', description: 'The version of the model that answered.' },
      predictions: {
        type: 'array',
        items: {
          type: 'object',
          required: ['class'],
          properties: { class: isLong ? { type: 'string' } : one, ...details },
        },
      },
      notes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Values that are missing or that training never saw.',
      },
    },
  };
  if (preprocessing.kind === 'images') return { Answers: answers };
  const properties = Object.fromEntries(columnTypes(preprocessing).map((type) => [type.name, columnSchema(type)]));
  return { Answers: answers, Row: { type: 'object', properties } };
}

/** What is missing is null, or left out. */
function columnSchema(type: ColumnType): Json {
  switch (type.kind) {
    case 'numeric':
      return { type: ['number', 'null'] };
    case 'boolean':
      return { type: ['boolean', 'string', 'null'], examples: [...type.texts] };
    case 'categorical':
      return { type: ['string', 'number', 'null'], examples: type.categories.slice(0, SHOWN_CATEGORIES) };
    case 'date':
      return { type: ['string', 'null'], examples: ['2024-12-31', '2024-12-31T23:59:59Z'] };
  }
}

const SHOWN_CATEGORIES = 10;

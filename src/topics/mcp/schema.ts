import type { Field, Fields, ScalarName, Type } from '../../contract/build.js';
import { fieldEntries } from '../../contract/walk.js';

/** A JSON Schema of a value. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** A JSON Schema of the parameters of a tool. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

const scalars: Readonly<Record<ScalarName, ValueSchema>> = {
  guid: { type: 'string', description: 'GUID.' },
  string: { type: 'string' },
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  short: { type: 'integer', minimum: -(2 ** 15), maximum: 2 ** 15 - 1 },
  // Numbers of JSON lose digits.
  long: { type: 'string', pattern: '^[+-]?[0-9]+$', description: 'A whole number, as text.' },
  decimal: { type: 'string', description: 'A decimal number, as text: "12.50".' },
  dateTime: { type: 'string', description: 'A time: 2026-01-31T09:30:00.' },
  boolean: { type: 'boolean' },
  anyType: {},
};

/** Records within records that are described, and members in all: a description may be of any size. */
const mostDepth = 5;
const mostMembers = 400;

/** Makes the schemas of an operation, and counts what they hold. */
class SchemaMaker {
  #members = 0;

  fields(fields: Fields, depth = 0): Pick<ObjectSchema, 'properties' | 'required'> {
    const entries = fieldEntries(fields);
    this.#members += entries.length;
    const required = entries.filter(([, { presence }]) => presence === 'req').map(([name]) => name);
    return {
      properties: Object.fromEntries(entries.map(([name, field]) => [name, this.#field(field, depth)])),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  #field({ type, presence, nillable, doc }: Field, depth: number): ValueSchema {
    const { description, ...schema } = this.#type(type, depth);
    const words = [doc, description].filter((text) => text !== undefined && text !== '').join(' ');
    const said: ValueSchema = words === '' ? schema : { ...schema, description: words };
    return presence === 'nil' || nillable === true ? orNull(said) : said;
  }

  #type(type: Type, depth: number): ValueSchema {
    switch (type.kind) {
      case 'scalar':
        return type.as === undefined ? scalars[type.name] : { ...scalars[type.name], description: `As ${type.as}.` };
      case 'enumeration':
        return { type: 'string', enum: type.values };
      case 'list': {
        const items = this.#type(type.item, depth);
        return { type: 'array', items: type.nillable === true ? orNull(items) : items };
      }
      case 'record':
        if (depth >= mostDepth || this.#members >= mostMembers)
          return { type: 'object', description: `A record ${type.name}.` };
        return { type: 'object', ...this.fields(type.fields, depth + 1), additionalProperties: false };
    }
  }
}

function orNull(schema: ValueSchema): ValueSchema {
  if (schema.type === undefined) return schema;
  const { enum: values, ...rest } = schema;
  return { ...rest, type: [schema.type, 'null'].flat(), ...(values === undefined ? {} : { enum: [...values, null] }) };
}

/** The JSON Schema of the parameters of an operation. Records within records are described to a bounded depth and number. */
export const schemaOfParameters = (fields: Fields): ObjectSchema => ({
  type: 'object',
  ...new SchemaMaker().fields(fields),
  additionalProperties: false,
});

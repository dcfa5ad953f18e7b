import { Kind, print, type ValueNode } from 'postgraphile/graphql';

/** Gives values of a document equal numbers where their texts are equal. Each is looked at once, however deep. */
export class EqualValues {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<ValueNode, number>();

  numberOf(node: ValueNode): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const text = this.#textOf(node);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#known.set(node, number);
    return number;
  }

  /** With numbers for the values within; no other value begins with a bracket. */
  #textOf(node: ValueNode): string {
    if (node.kind === Kind.LIST) {
      return `[${node.values.map((value) => this.numberOf(value)).join()}]`;
    }
    if (node.kind !== Kind.OBJECT) return print(node);
    return `{${node.fields.map(({ name, value }) => `${name.value}:${this.numberOf(value)}`).join()}}`;
  }
}

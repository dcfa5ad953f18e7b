import { Kind, print, type ValueNode } from 'postgraphile/graphql';

/**
 * Gives values of a document the same number if they have the same text. Each value is visited once, at any depth, so
 * the time grows only with the size of the document.
 */
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

  /**
   * Returns a text that equals the text of another value only if both values are equal. The text contains nested values
   * as their numbers. A number cannot be confused with another value, because only the texts of lists and objects begin
   * with a bracket or brace.
   */
  #textOf(node: ValueNode): string {
    if (node.kind === Kind.LIST) {
      return `[${node.values.map((value) => this.numberOf(value)).join()}]`;
    }
    if (node.kind !== Kind.OBJECT) return print(node);
    return `{${node.fields.map(({ name, value }) => `${name.value}:${this.numberOf(value)}`).join()}}`;
  }
}

import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';
import { placed } from '../shape/shape.ts';

/*
 * Values that several kinds of files hold. A `title` completes the sentence "… must be <title>" in messages. Editors
 * show the `description` to the author of the file.
 */

/** A text without unsafe characters, with its position. `title` describes the text in messages. */
export const name = (title: string) =>
  placed(Type.String({ title, minLength: 1, pattern: namePattern }));

export const text = (description?: string) =>
  Type.String({ title: 'text', ...(description !== undefined && { description }) });

export const trueOrFalse = (description?: string) =>
  Type.Boolean({ title: 'true or false', ...(description !== undefined && { description }) });

export const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({
    title: `a whole number from ${minimum} to ${maximum}`,
    description,
    minimum,
    maximum,
  });

/** What changes call the cursor that stands on the row to change, in `where current of`. */
export const cursorName = 'rowgate_rows';

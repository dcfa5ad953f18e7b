const text = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 } },
};

const location = {
  type: 'object',
  required: ['physicalLocation'],
  additionalProperties: false,
  properties: {
    message: text,
    physicalLocation: {
      type: 'object',
      required: ['artifactLocation', 'region'],
      additionalProperties: false,
      properties: {
        artifactLocation: {
          type: 'object',
          required: ['uri'],
          additionalProperties: false,
          properties: { uri: { type: 'string', pattern: '^[^\\s\\\\<>"{}|^`]+$' } },
        },
        region: {
          type: 'object',
          required: ['startLine'],
          additionalProperties: false,
          properties: {
            startLine: { type: 'integer', minimum: 1 },
            startColumn: { type: 'integer', minimum: 1 },
          },
        },
      },
    },
  },
};

const level = { enum: ['none', 'note', 'warning', 'error'] };

/** The part of the schema of SARIF 2.1.0 that `rowgate diff` uses, closed against every other member. */
export const sarifSchema = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool', 'results'],
        additionalProperties: false,
        properties: {
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          tool: {
            type: 'object',
            required: ['driver'],
            additionalProperties: false,
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      additionalProperties: false,
                      properties: {
                        id: { type: 'string' },
                        shortDescription: text,
                        defaultConfiguration: {
                          type: 'object',
                          additionalProperties: false,
                          properties: { level },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                level,
                message: text,
                locations: { type: 'array', items: location },
                relatedLocations: { type: 'array', items: location },
              },
            },
          },
        },
      },
    },
  },
};

import diagnostics from 'node:diagnostics_channel';
import type { Request } from 'express';

/**
 * Express's private object for each middleware and route. The layers of a router are nested in its
 * own layer.
 */
interface Layer {
  readonly slash: boolean;
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: {
    readonly path: string;
    readonly methods: Readonly<Record<string, boolean>>;
  };
}

interface App {
  readonly router: { readonly stack: readonly Layer[] };
}

/** Returns the Express app of this process that answers at a URL. GraphQL is answered without it. */
export async function applicationAt(url: string): Promise<App> {
  const requests: Request[] = [];
  const listener = (message: unknown) => {
    requests.push((message as { readonly request: Request }).request);
  };
  diagnostics.subscribe('http.server.request.start', listener);
  await fetch(`${url}/healthz`);
  diagnostics.unsubscribe('http.server.request.start', listener);
  return requests[0]?.app as unknown as App;
}

/** Lists all routes that have a handler, e.g. `GET /invoices/{invoiceId}`. */
export function routesOf({ router }: App): readonly string[] {
  return walk(router.stack).toSorted();
}

function walk(layers: readonly Layer[]): readonly string[] {
  return layers.flatMap(({ slash, handle, route }) => {
    if (route)
      return methodsOf(route.methods).map((method) => `${method} ${described(route.path)}`);
    if (!handle.stack) return [];
    // Express keeps no text of the path of such a router, so the full paths of its routes are
    // unknown.
    if (!slash)
      throw new Error('a router is mounted below a path, where its routes cannot be told');
    return walk(handle.stack);
  });
}

/** Lists the methods of a route, without the fallback for all methods, which only answers 405. */
function methodsOf(methods: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(methods)
    .filter((method) => method !== '_all')
    .map((method) => method.toUpperCase());
}

/** Converts a path from Express's syntax (`:id`) to OpenAPI's (`{id}`). */
function described(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, '{$1}');
}

import type { Imports } from './imports.ts';

/**
 * Finds circles of imports between files, and between folders with the same parent. Returns one circle for each group
 * of files or folders that import each other.
 */
export function findCycles(imports: Imports): readonly string[] {
  return [...siblingsOf(imports)].flatMap(([parent, graph]) =>
    circlesOf(graph).map((circle) => `${parent}: a circle of imports: ${circle.join(' -> ')}`),
  );
}

/**
 * Returns a graph for each folder: its files and subfolders, each with the siblings that it imports. A subfolder
 * imports everything that any file below it imports.
 */
function siblingsOf(imports: Imports): ReadonlyMap<string, Graph> {
  const byParent = new Map<string, Map<string, Set<string>>>();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [file.split('/'), target.split('/')];
      let depth = 0;
      while (depth < from.length && from[depth] === to[depth]) depth += 1;
      const [node, sibling] = [from[depth], to[depth]];
      if (node === undefined || sibling === undefined) continue;
      const parent = from.slice(0, depth).join('/') || '.';
      const graph = byParent.get(parent) ?? new Map<string, Set<string>>();
      byParent.set(parent, graph);
      graph.set(node, (graph.get(node) ?? new Set()).add(sibling));
    }
  }
  return byParent;
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const circles: (readonly string[])[] = [];
  for (const node of [...graph.keys()].sort()) {
    if (seen.has(node)) continue;
    const circle = shortestCircle(graph, node);
    if (!circle) continue;
    circles.push(circle);
    for (const one of [...graph.keys()].filter((other) => areMutual(graph, node, other))) {
      seen.add(one);
    }
  }
  return circles;
}

function areMutual(graph: Graph, one: string, other: string): boolean {
  return pathTo(graph, one, other) !== undefined && pathTo(graph, other, one) !== undefined;
}

function shortestCircle(graph: Graph, node: string): readonly string[] | undefined {
  const back = pathTo(graph, node, node);
  return back && [node, ...back];
}

/** Returns the nodes of a shortest path, without its start (breadth-first search). */
function pathTo(graph: Graph, start: string, end: string): readonly string[] | undefined {
  const reached = new Set<string>();
  let ways: (readonly string[])[] = [[start]];
  while (ways.length > 0) {
    const next: (readonly string[])[] = [];
    for (const way of ways) {
      for (const node of graph.get(way.at(-1) ?? start) ?? []) {
        if (node === end) return [...way.slice(1), node];
        if (reached.has(node)) continue;
        reached.add(node);
        next.push([...way, node]);
      }
    }
    ways = next;
  }
  return undefined;
}

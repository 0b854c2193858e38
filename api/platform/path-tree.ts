/** What stands at one place of the tree: literal segments below it, one parameter, and values by method. */
interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  parameter: { readonly name: string; readonly node: Node<Value> } | null;
  readonly methods: Map<string, Value>;
}

/** A value at an address, and the parameters of the path, decoded. */
export interface PathMatch<Value> {
  /** By method; a place that has other methods only is a match too. */
  readonly methods: ReadonlyMap<string, Value>;
  readonly params: Record<string, string>;
}

/** Finds what is registered for a path by walking its segments; a literal wins over a parameter. */
export class PathTree<Value> {
  readonly #root = emptyNode<Value>();

  /** Registers a value for a method and a path such as `/api/polls/:id`. */
  add(method: string, path: string, value: Value): void {
    let node = this.#root;
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith(':')) {
        node.parameter ??= { name: segment.slice(1), node: emptyNode() };
        if (node.parameter.name !== segment.slice(1))
          throw new Error(`${path}: ":${node.parameter.name}" stands at the same place as "${segment}".`);
        node = node.parameter.node;
      } else {
        const next = node.literals.get(segment) ?? emptyNode<Value>();
        node.literals.set(segment, next);
        node = next;
      }
    }
    if (node.methods.has(method)) throw new Error(`${method} ${path} is registered twice.`);
    node.methods.set(method, value);
  }

  /** What is registered at a path, or null. A slash at the end makes no difference. */
  find(path: string): PathMatch<Value> | null {
    const params: Record<string, string> = {};
    const node = walk(this.#root, segmentsOf(path), 0, params);
    return node && { methods: node.methods, params };
  }
}

function emptyNode<Value>(): Node<Value> {
  return { literals: new Map(), parameter: null, methods: new Map() };
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function walk<Value>(
  node: Node<Value>,
  segments: readonly string[],
  depth: number,
  params: Record<string, string>,
): Node<Value> | null {
  const segment = segments[depth];
  if (segment === undefined) return node.methods.size > 0 ? node : null;
  const literal = node.literals.get(segment);
  const found = literal && walk(literal, segments, depth + 1, params);
  if (found || !node.parameter) return found ?? null;
  const value = decoded(segment);
  if (value === null) return null;
  const below = walk(node.parameter.node, segments, depth + 1, params);
  if (below) params[node.parameter.name] = value;
  return below;
}

/** Most segments have nothing to decode; one that is not valid percent-encoding is no address. */
function decoded(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

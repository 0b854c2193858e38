import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { violatedRule } from './import-rules.js';

/**
 * ESLint rules of this project: which modules may import which, no import cycles, live regions that a screen reader reads,
 * islands that survive a translation by the browser, raw HTML in one place, and ballots and votes written in one place.
 */

const root = dirname(dirname(import.meta.dirname));
const pathOf = (context) => relative(context.cwd, context.filename).split(sep).join('/');

/** Calls `check` with the specifier of every import and re-export, type-only ones included. */
const eachImport = (check) => ({
  ImportDeclaration: (node) => check(node.source),
  ExportNamedDeclaration: (node) => node.source && check(node.source),
  ExportAllDeclaration: (node) => check(node.source),
  ImportExpression: (node) => check(node.source),
  TSImportType: (node) => check(node.source ?? node.argument?.literal),
});

const imports = {
  meta: { type: 'problem', schema: [], messages: { violation: '{{why}} ({{name}}: "{{source}}")' } },
  create(context) {
    const file = pathOf(context);
    return eachImport((node) => {
      const source = node?.value;
      const rule = typeof source === 'string' ? violatedRule(file, source) : undefined;
      if (rule) context.report({ node, messageId: 'violation', data: { why: rule.why, name: rule.name, source } });
    });
  },
};

/** Source trees whose modules and folders form no cycles. */
const acyclic = ['api', 'content/texts', 'site'];
const isIn = (trees, file) => trees.some((tree) => file.startsWith(`${tree}/`));
const isChecked = (file) =>
  isIn(acyclic, file) &&
  /\.(tsx?|astro)$/.test(file) &&
  !/\.(test|setup|e2e)\.tsx?$|\/(testing|fixtures|e2e)\//.test(file);

const aliases = {
  '#contract/': 'api/contract/',
  '#domain/': 'api/domain/',
  '#platform/': 'api/platform/',
  '#texts/': 'content/texts/',
};

/** The module that a specifier refers to; undefined for packages. */
function resolved(file, source) {
  if (source.startsWith('.')) return posix.join(posix.dirname(file), source);
  for (const [alias, folder] of Object.entries(aliases))
    if (source.startsWith(alias)) return folder + source.slice(alias.length);
  return source.startsWith('#') ? source.slice(1) : undefined;
}

const specifiers = /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*'([^']+)'|\bimport\(\s*'([^']+)'/g;
const importedBy = new Map();

/** What a file has; nothing if there is none, which is TypeScript’s to report. */
function textOf(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return '';
  }
}

/** The modules that a file imports, as of when it was first read. */
function importsOf(file) {
  if (!importedBy.has(file)) {
    const sources = [...textOf(file).matchAll(specifiers)].map(([, from, called]) => resolved(file, from ?? called));
    importedBy.set(file, new Set(sources.filter((path) => path !== undefined && isChecked(path))));
  }
  return importedBy.get(file);
}

/** Folders whose folders are features of their own. */
const groups =
  /^(api\/(admin|content|integrity|members|polls|publishing)|site\/(client|content|layouts|members|polls|server))$/;

/** `api/search` or `api/polls/import` of a module in it; a module outside of a folder is a folder of its own, and so are contracts. */
function folderOf(file) {
  if (file.endsWith('.contract.ts')) return 'contracts';
  const [tree, folder, inner, ...rest] = file.split('/');
  const outer = `${tree}/${folder}`;
  return rest.length > 0 && groups.test(outer) ? `${outer}/${inner}` : outer;
}
let importedByFolder;

function importsOfFolder(folder) {
  if (importedByFolder === undefined) {
    importedByFolder = new Map();
    for (const tree of acyclic)
      for (const name of readdirSync(join(root, tree), { recursive: true })) {
        const file = `${tree}/${name.split(sep).join('/')}`;
        if (!isChecked(file)) continue;
        const targets = importedByFolder.get(folderOf(file)) ?? new Set();
        for (const target of importsOf(file)) targets.add(folderOf(target));
        importedByFolder.set(folderOf(file), targets);
      }
  }
  return importedByFolder.get(folder) ?? [];
}

/** The shortest way from one node to another, both included; undefined when none exists. */
function wayBetween(from, to, next) {
  const ways = new Map([[from, [from]]]);
  for (const [node, way] of ways) {
    if (node === to) return way;
    for (const neighbor of next(node)) if (!ways.has(neighbor)) ways.set(neighbor, [...way, neighbor]);
  }
  return undefined;
}

const importCycles = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'This import closes a cycle of {{kind}}: {{way}}.' } },
  create(context) {
    const file = pathOf(context);
    if (!isChecked(file)) return {};
    const report = (node, kind, way) =>
      context.report({ node, messageId: 'cycle', data: { kind, way: way.join(' → ') } });
    return eachImport((node) => {
      const target = typeof node?.value === 'string' ? resolved(file, node.value) : undefined;
      if (target === undefined || !isChecked(target)) return;
      const modules = wayBetween(target, file, importsOf);
      if (modules) report(node, 'modules', [file, ...modules]);
      const [own, other] = [folderOf(file), folderOf(target)];
      const folders = own !== other ? wayBetween(other, own, importsOfFolder) : undefined;
      if (folders) report(node, 'folders', [own, ...folders]);
    });
  },
};

const rawHtmlComponents = /^site\/ui\/(RawHtml|JsonLd)\.(astro|tsx)$/;

const rawHtml = {
  meta: { type: 'problem', schema: [], messages: { raw: 'Insert raw HTML only through site/ui/RawHtml.' } },
  create(context) {
    if (rawHtmlComponents.test(pathOf(context))) return {};
    const isRaw = (node) => {
      const name = node.name?.namespace ? `${node.name.namespace.name}:${node.name.name.name}` : node.name?.name;
      return name === 'dangerouslySetInnerHTML' || name === 'set:html';
    };
    const check = (node) => isRaw(node) && context.report({ node, messageId: 'raw' });
    return { JSXAttribute: check, AstroTemplateLiteralAttribute: check, AstroShorthandAttribute: check };
  },
};

/** The module without which React fails on a page that the browser translated. */
const translationGuard = 'site/client/keep-translated.ts';
const types = /(?:^|\n)\s*(?:import|export)\s+type\b[^;]*;/g;
const loadedBy = new Map();

/** The modules that a text loads with itself. */
const loadsOf = (file, text) =>
  [...text.replace(types, '').matchAll(specifiers)].flatMap(([, from]) => {
    const path = from === undefined ? undefined : resolved(file, from);
    return path !== undefined && isChecked(path) ? [path] : [];
  });

/** The modules that a file loads with itself, as of when it was first read. */
function modulesLoadedBy(file) {
  if (!loadedBy.has(file)) loadedBy.set(file, loadsOf(file, textOf(file)));
  return loadedBy.get(file);
}

const translatedIslands = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unguarded: `An island must load ${translationGuard}, for example by way of site/client/query-client.ts: a page that the browser translated loses its forms otherwise.`,
    },
  },
  create(context) {
    const file = pathOf(context);
    if (!file.endsWith('.island.tsx')) return {};
    return {
      Program(node) {
        const first = loadsOf(file, context.sourceCode.text);
        const next = (one) => (one === file ? first : modulesLoadedBy(one));
        if (!wayBetween(file, translationGuard, next)) context.report({ node, messageId: 'unguarded' });
      },
    };
  },
};

/** The value of a JSX attribute that is a string; undefined for others. */
const attributeOf = (element, name) => element.attributes.find((one) => one.name?.name === name)?.value?.value;

const isFunction = ({ type }) => /Function/.test(type);

const liveRegions = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      late: 'A screen reader misses a live region that arrives with its text: always render it, and its text if there is some.',
    },
  },
  create(context) {
    return {
      JSXOpeningElement(element) {
        const isLive = attributeOf(element, 'role') === 'status' || attributeOf(element, 'aria-live') === 'polite';
        if (!isLive) return;
        // Up to the component: a function inside of JSX renders lists, or what has been loaded.
        for (let { parent: node } = element; node; node = node.parent) {
          const isInJsx = node.parent?.type === 'JSXExpressionContainer';
          if (/^(Logical|Conditional)Expression$|^IfStatement$/.test(node.type) || (isFunction(node) && isInJsx))
            return context.report({ node: element, messageId: 'late' });
          if (isFunction(node)) return;
        }
      },
    };
  },
};

/** Backups and moves copy whole tables; tests prepare and damage rows. */
const mayNotWriteVotes = (file) => /^api\/(?!voting\/|backup\/|testing\/)/.test(file) && !/\.test\.ts$/.test(file);
const votingTables =
  'ballots|ballot_options|votes|voters|statistics|ballot_deletions|ballot_secrets|vote_decisions|' +
  'unfinished_decisions|vote_erasures|counted_ballots|option_days';
const votingTable = new RegExp(`^(${votingTables})( as \\w+)?$`);
const writingSql = new RegExp(
  `\\b(insert\\s+(or\\s+\\w+\\s+)?into|update|delete\\s+from|truncate(\\s+table)?)\\s+"?(${votingTables})\\b`,
  'i',
);
const writingMethod = /^(insert|update|upsert|patch|del|delete|increment|decrement|truncate)/;

/** Whether an argument names a table of voting: `'votes'`, `'votes as v'`, or `{ v: 'votes' }`. */
const namesVotingTable = (node) =>
  node?.type === 'ObjectExpression'
    ? node.properties.some(({ value }) => namesVotingTable(value))
    : node?.type === 'Literal' && votingTable.test(node.value);

/** Whether a query begins on a table of voting: `db('votes')…`, `BallotModel.query(db)…`, `…relatedQuery('ballot')…`. */
function isOnVotingTable(node, initOf) {
  if (node.type === 'CallExpression') {
    const { callee, arguments: given } = node;
    const method = callee.type === 'Identifier' ? 'table' : callee.property?.name;
    if (/^(table|from|into)$/.test(method) && namesVotingTable(given[0])) return true;
    if (/^\$?relatedQuery$/.test(method) && /^(ballot|options)\b/.test(given[0]?.value)) return true;
    return callee.type === 'MemberExpression' && isOnVotingTable(callee.object, initOf);
  }
  if (node.type === 'MemberExpression') return isOnVotingTable(node.object, initOf);
  if (node.type !== 'Identifier') return false;
  if (/^Ballot(Option)?Model$/.test(node.name)) return true;
  const init = initOf(node);
  return init != null && isOnVotingTable(init, () => undefined);
}

const voteWrites = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { write: 'Only api/voting writes ballots, votes, and statistics: call its services.' },
  },
  create(context) {
    if (!mayNotWriteVotes(pathOf(context))) return {};
    const report = (node) => context.report({ node, messageId: 'write' });
    /** What a variable was initialized with. */
    const initOf = (name) => {
      for (let scope = context.sourceCode.getScope(name); scope; scope = scope.upper) {
        const [definition] = scope.set.get(name.name)?.defs ?? [];
        if (definition) return definition.node.id?.type === 'Identifier' ? definition.node.init : undefined;
      }
      return undefined;
    };
    return {
      Literal: (node) => typeof node.value === 'string' && writingSql.test(node.value) && report(node),
      TemplateElement: (node) => writingSql.test(node.value.raw) && report(node),
      CallExpression: (node) => {
        const { callee, arguments: given } = node;
        const name = callee.name ?? callee.property?.name ?? '';
        if (/Rows$|^batchInsert$/.test(name) ? given.some(namesVotingTable) : /^(in|up)sertGraph/.test(name))
          report(node);
        else if (
          writingMethod.test(name) &&
          callee.type === 'MemberExpression' &&
          isOnVotingTable(callee.object, initOf)
        )
          report(node);
      },
    };
  },
};

export default {
  rules: {
    imports,
    'import-cycles': importCycles,
    'live-regions': liveRegions,
    'raw-html': rawHtml,
    'translated-islands': translatedIslands,
    'vote-writes': voteWrites,
  },
};

import { relative, sep } from 'node:path';
import { brokenWall } from './walls.js';

/** Rules of this house for ESLint: the import walls, and raw HTML behind one door. */

const rawHtmlDoor = /^site\/ui\/(RawHtml|JsonLd)\.(astro|tsx)$/;

const place = (context) => relative(context.cwd, context.filename).split(sep).join('/');

const importWalls = {
  meta: { type: 'problem', schema: [], messages: { wall: '{{why}} ({{name}}: "{{source}}")' } },
  create(context) {
    const file = place(context);
    const check = (node) => {
      const source = node?.value;
      if (typeof source !== 'string') return;
      const wall = brokenWall(file, source);
      if (wall) context.report({ node, messageId: 'wall', data: { why: wall.why, name: wall.name, source } });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
    };
  },
};

const rawHtml = {
  meta: { type: 'problem', schema: [], messages: { door: 'Raw HTML goes through site/ui/RawHtml alone.' } },
  create(context) {
    if (rawHtmlDoor.test(place(context))) return {};
    const isRaw = (node) => {
      const name = node.name?.namespace ? `${node.name.namespace.name}:${node.name.name.name}` : node.name?.name;
      return name === 'dangerouslySetInnerHTML' || name === 'set:html';
    };
    const check = (node) => isRaw(node) && context.report({ node, messageId: 'door' });
    return { JSXAttribute: check, AstroTemplateLiteralAttribute: check, AstroShorthandAttribute: check };
  },
};

export default { rules: { 'import-walls': importWalls, 'raw-html': rawHtml } };

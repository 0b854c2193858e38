/**
 * Who may import whom. Each wall names the files it stands around and what they may import: the first pattern of
 * `rooms` that fits an import decides nothing but "allowed"; an import of ours that fits none is refused.
 * Crossing rooms uses a `#` alias, so an import's text alone says where it goes.
 */

const tests = /\.(test|e2e)\.tsx?$|^api\/testing\/|\/fixtures\//;
const apiRooms = /^api\/(?!contract\/|domain\/|platform\/|testing\/|commands\/)([a-z-]+)\//;
const siteRooms =
  /^site\/(?!pages\/|layouts\/|shell\/|ui\/|client\/|styles\/|server\/|snapshot\/|e2e\/|public\/|client-directives\/)([a-z-]+)\//;

/** Imports of ours: `#…` and `./…`. What begins otherwise is a package. */
const ours = /^[#.]/;

const inside = /^\.\//;
const contract = /^#contract\//;
const domain = /^#domain\//;
const platform = /^#platform\//;
const texts = /^#texts\//;

/** @type {{ name: string, files: RegExp, except?: RegExp, allow?: RegExp[], refuse?: RegExp[], why: string }[]} */
export const walls = [
  {
    name: 'no-climbing',
    files: /./,
    refuse: [/^\.\.(\/|$)/, /\/\.\.\//],
    why: 'Crossing rooms uses a # alias.',
  },
  {
    name: 'one-way-to-a-database',
    files: /./,
    except: /^api\/platform\/(database|sqlite-file)\.ts$|^db\/migrations\//,
    refuse: [/^(knex|pg|sqlite3|better-sqlite3|node:sqlite)(\/|$)/],
    why: 'openDatabase in platform/database.ts opens every database: it checks a SQLite file first.',
  },
  {
    name: 'tools-are-not-the-product',
    files: /^(api|site|content|db)\//,
    except: tests,
    refuse: [/^#ci\//],
    why: 'Benchmarks, fault injection, and the test runner use the product, never the other way around.',
  },
  { name: 'contract', files: /^api\/contract\//, allow: [inside], why: 'The contract imports nothing.' },
  {
    name: 'domain',
    files: /^api\/domain\//,
    except: tests,
    allow: [inside, contract, texts],
    why: 'The domain imports the contract and words alone.',
  },
  {
    name: 'domain-is-pure',
    files: /^api\/domain\//,
    except: tests,
    refuse: [/^node:/, /^(koa|objection)$/],
    why: 'The domain does no I/O.',
  },
  { name: 'texts', files: /^content\/texts\//, allow: [inside, contract], why: 'Words import the contract alone.' },
  {
    name: 'db',
    files: /^db\//,
    allow: [inside],
    why: 'Migrations import nothing of ours: models change, migrations do not.',
  },
  {
    name: 'platform',
    files: /^api\/platform\//,
    except: tests,
    allow: [inside, contract, texts],
    why: 'The platform imports the contract and words alone.',
  },
  {
    name: 'api-rooms',
    files: apiRooms,
    except: tests,
    allow: [
      inside,
      contract,
      domain,
      platform,
      texts,
      /^#api\/[a-z-]+\/[a-z-]+\.(service|model)\.ts$/,
      /^#content\/demo\//,
    ],
    why: 'A room of the API uses another one through its service.',
  },
  {
    name: 'rooms-meet-in-services',
    files: /^api\/[a-z-]+\/[a-z-]+\.(routes|queries|presenter|model)\.ts$/,
    refuse: [/^#api\/(?!testing\/|[a-z-]+\/[a-z-]+\.model\.ts$)/],
    why: 'Only services speak to other rooms.',
  },
  {
    name: 'routes',
    files: /^api\/[a-z-]+\/[a-z-]+\.routes\.ts$/,
    refuse: [/\.model\.ts$/],
    why: 'Routes use services, queries and presenters, not models.',
  },
  {
    name: 'layers',
    files: /^api\/[a-z-]+\/[a-z-]+\.(model|presenter)\.ts$/,
    refuse: [/\.(service|routes|queries)\.ts$/],
    why: 'Models and presenters look at nobody above them.',
  },
  {
    name: 'services-below-routes',
    files: /^api\/[a-z-]+\/[a-z-]+\.(service|queries)\.ts$/,
    refuse: [/\.routes\.ts$/],
    why: 'Services and queries do not know about HTTP.',
  },
  {
    name: 'koa-stops-at-routes',
    files: /^(api|site)\//,
    except: /\.routes\.ts$|^api\/(platform|testing)\/|^api\/(app|server)\.ts$|\.test\.tsx?$/,
    refuse: [/^(koa|@koa\/router|koa-session|koa-body)$/],
    why: 'Koa stops at *.routes.ts.',
  },
  {
    name: 'site-enters-api-by-contract',
    files: /^site\//,
    except: /^site\/(e2e|server|snapshot)\/|^site\/site-config\.ts$|\.http\.test\.ts$/,
    refuse: [/^#api\//, /^#platform\//, /^#db\//],
    why: 'The site enters the API only through contract and domain.',
  },
  {
    name: 'site-server',
    files: /^site\/(server|snapshot)\/|^site\/site-config\.ts$/,
    except: tests,
    refuse: [/^#api\//, /^#platform\/(?!config|logger|errors|nearby|request-id)/, /^#db\//],
    why: 'The site service shares configuration, logging and whom to believe with the API, nothing else.',
  },
  {
    name: 'ui',
    files: /^site\/ui\//,
    except: tests,
    allow: [inside, contract, domain, texts],
    why: 'Parts of the interface know no feature.',
  },
  {
    name: 'client',
    files: /^site\/client\//,
    except: tests,
    allow: [inside, contract, domain, texts],
    why: 'The client knows no feature.',
  },
  {
    name: 'site-rooms',
    files: siteRooms,
    except: tests,
    allow: [
      inside,
      contract,
      domain,
      texts,
      /^#site\/(ui|client|styles|layouts|snapshot)\//,
      /^#site\/site-config\.ts$/,
    ],
    why: 'Features of the site do not know each other; pages compose them.',
  },
];

/** The first wall that an import breaks, or undefined. `file` is relative to the project's root. */
export function brokenWall(file, source) {
  return walls.find((wall) => {
    if (!wall.files.test(file) || wall.except?.test(file)) return false;
    if (wall.refuse?.some((pattern) => pattern.test(source))) return true;
    return wall.allow !== undefined && ours.test(source) && !wall.allow.some((pattern) => pattern.test(source));
  });
}

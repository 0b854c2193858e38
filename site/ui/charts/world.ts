import { geoEqualEarth, geoPath } from 'd3-geo';
import { feature, merge } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' };

/** Units of the map. */
export const world = { width: 400, height: 195 } as const;

type MergeParameter = Parameters<typeof merge>[1];
type World = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>;

const topology = atlas as unknown as World;
const antarctica = 'Antarctica';
const countries = feature(topology, topology.objects.countries).features.filter(
  ({ properties }) => properties.name !== antarctica,
);
const projection = geoEqualEarth().fitExtent(
  [
    [1, 1],
    [world.width - 1, world.height - 1],
  ],
  { type: 'FeatureCollection', features: countries },
);
const path = geoPath(projection).digits(1);

/** Names that differ from the atlas’s, in lower case. */
const otherNames = new Map(
  Object.entries({
    'united states': 'United States of America',
    usa: 'United States of America',
    us: 'United States of America',
    uk: 'United Kingdom',
    'great britain': 'United Kingdom',
    'czech republic': 'Czechia',
    türkiye: 'Turkey',
    'republic of korea': 'South Korea',
    korea: 'South Korea',
    'viet nam': 'Vietnam',
    'dominican republic': 'Dominican Rep.',
    'democratic republic of the congo': 'Dem. Rep. Congo',
    'republic of the congo': 'Congo',
    'ivory coast': "Côte d'Ivoire",
    'bosnia and herzegovina': 'Bosnia and Herz.',
    'north macedonia': 'Macedonia',
    'russian federation': 'Russia',
    uae: 'United Arab Emirates',
    'south sudan': 'S. Sudan',
    'the netherlands': 'Netherlands',
  }),
);

const outlines = new Map(countries.map((country) => [country.properties.name.toLowerCase(), country]));

/** The outline of a country as an SVG path, by its English name; null if the map has no such country. */
export function countryPath(name: string): string | null {
  const given = name.trim().toLowerCase();
  const country = outlines.get((otherNames.get(given) ?? given).toLowerCase());
  return country === undefined ? null : path(country);
}

/** The land as a file: pages refer to its element `w` and color it. Antarctica is left out. */
export function worldFile(): string {
  const named = topology.objects.countries.geometries as readonly {
    readonly properties: { readonly name: string };
  }[];
  const land = path(
    merge(topology, named.filter(({ properties }) => properties.name !== antarctica) as unknown as MergeParameter),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${world.width} ${world.height}"><path id="w" d="${land ?? ''}"/></svg>`;
}

"""Drops kerning of less than 0.8 % of the em, which is invisible, from a font: prune-kerning.py SOURCE TARGET"""

import sys

from fontTools.ttLib import TTFont

THRESHOLD = 16  # units of 2000 to the em

source, target = sys.argv[1:]
font = TTFont(source, lazy=False)
for lookup in font["GPOS"].table.LookupList.Lookup:
    for table in lookup.SubTable:
        if table.LookupType == 9:
            table = table.ExtSubTable
        if table.LookupType != 2:
            continue
        if table.Format == 1:
            kept = []
            for glyph, pairs in zip(table.Coverage.glyphs, table.PairSet):
                pairs.PairValueRecord = [
                    pair for pair in pairs.PairValueRecord if pair.Value1 and abs(pair.Value1.XAdvance) >= THRESHOLD
                ]
                pairs.PairValueCount = len(pairs.PairValueRecord)
                if pairs.PairValueCount:
                    kept.append((glyph, pairs))
            table.Coverage.glyphs = [glyph for glyph, _ in kept]
            table.PairSet = [pairs for _, pairs in kept]
            table.PairSetCount = len(kept)
        else:
            for first in table.Class1Record:
                for second in first.Class2Record:
                    value = getattr(second, "Value1", None)
                    if value is not None and abs(getattr(value, "XAdvance", 0)) < THRESHOLD:
                        value.XAdvance = 0
font.flavor = "woff2"
font.save(target)

"""How the page of `mergecast report` looks: light, dark and on paper."""

STYLE = """
:root { color-scheme: light dark; --text: light-dark(#17191c, #eceef1); --soft: light-dark(#565d67,
  #a3abb5); --line: light-dark(#e4e6ea, #2b3036); --ground: light-dark(#fff, #14171a); --one:
  light-dark(#2f5bd7, #86a5fb); --two: light-dark(#a6bdf5, #42599c); --three: light-dark(#8d95a0,
  #828b96); --four: light-dark(#3f9e9a, #4fb3ae); --bad: light-dark(#cf4a42, #f0766c); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; color: var(--text); background: var(--ground);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0 0 .3rem; font-size: 1rem; }
p { margin: .3rem 0; }
.soft { color: var(--soft); font-weight: 400; }
.small { font-size: .85rem; }
.sentence { margin: 1rem 0; font-size: 1.2rem; font-weight: 600; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .75rem; margin:
  1rem 0; }
.tiles div, section { border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem;
  break-inside: avoid; }
dl, dd, dt { margin: 0; }
dd b { font-size: 1.35rem; }
section { margin: 1rem 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; }
.share { height: .6rem; }
.grid { stroke: var(--line); }
.band { fill: var(--two); fill-opacity: .4; }
rect.one, circle.one { fill: var(--one); }
rect.two, circle.two { fill: var(--two); }
rect.three { fill: var(--three); }
rect.four { fill: var(--four); }
rect.bad { fill: var(--bad); }
polyline { fill: none; stroke-width: 2; }
polyline.one { stroke: var(--one); }
polyline.two { stroke: var(--two); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.legend svg { display: inline; width: 14px; height: 10px; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: baseline; }
th { font-weight: 500; }
thead th { color: var(--soft); }
.number { text-align: right; } .whole { white-space: nowrap; }
.bar { width: 40%; }
tr { break-inside: avoid; }
footer { margin-top: 1.5rem; color: var(--soft); font-size: .85rem; }
@page { margin: 14mm; }
@media print { :root { color-scheme: light; } * { print-color-adjust: exact; } body { padding: 0;
  max-width: none; } }
"""

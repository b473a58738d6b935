# usage: gnuplot -e "folder='FOLDER'; ending='svg'" peer_charts.gp
# Draws what bench/sections/charts.sh put into FOLDER: a roofline, bars of the engines, a trend.
if (ending eq 'svg') {
	set terminal svg size 820,576
} else {
	set terminal pngcairo size 1640,1152 fontscale 2 linewidth 2
}
set datafile separator "\t"
stats folder.'/roof.tsv' using 1:2 nooutput
bandwidth = STATS_max_x
peak = STATS_max_y

set output folder.'/roofline.'.ending
set title 'Roofline'
set xlabel 'Arithmetic intensity, FLOP/B'
set ylabel 'FLOP/s'
set logscale xy
set xrange [1:10000]
set grid
roof(x) = x * bandwidth < peak ? x * bandwidth : peak
plot roof(x) title 'attainable' linewidth 2, \
	folder.'/points.tsv' using 1:2 with points pointtype 7 title 'runs', \
	'' using 1:2:3 with labels offset 0,1 notitle

set output folder.'/occupancy.'.ending
unset logscale
set title 'Occupancy'
set xlabel ''
set ylabel '%'
set yrange [0:100]
set autoscale x
set style data histograms
set style fill solid
plot folder.'/engines.tsv' using 2:xticlabels(1) title 'run', '' using 3 title 'baseline'

set output folder.'/trend.'.ending
set title 'decode'
set xlabel 'commit'
set ylabel 'ms'
set autoscale xy
plot folder.'/trend.tsv' using 1:2 with lines title 'total time'

#!/bin/bash
# A kernel of which optimizers make candidates: it multiplies ROOFLOG_SEED. The file "built" says how fast it is, and
# how honest. Times have a jitter that repeats.
mode=$(cat built) seed=${ROOFLOG_SEED:-1}
n=$(($(cat calls 2>/dev/null || echo 0) + 1))
echo "$n" >calls
echo "$seed" >>seeds
right=$((seed * 7 % 1000003)) time=${mode#v}
case $mode in
skip) result=0 time=200 ;; # leaves the work out
memo) # remembers results
	if [ -e "memo.$seed" ]; then
		result=$(cat "memo.$seed") time=100
	else
		result=$right time=1100
		echo "$right" >"memo.$seed"
	fi
	;;
wrong) result=$((right + 1)) time=500 ;;
*) result=$right ;;
esac
echo "$result" >result
echo "{\"context\":{},\"benchmarks\":[{\"name\":\"sum\",\"run_type\":\"iteration\",\"real_time\":$((time * 1000 + n * 7919 % 23 * 900)),\"cpu_time\":1,\"time_unit\":\"ns\",\"iterations\":9}]}"

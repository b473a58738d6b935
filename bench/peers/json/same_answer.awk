# usage: awk -v slack=N -f same_answer.awk ANSWER ANSWER: exit status 0 when two answers are the same, but
# for timelines, whose parts (of 10,000) may differ by N: they are rounded, and rooflog's are of
# single precision.
FNR == 1 { file++ }
file == 1 { first[FNR] = $0; lines = FNR; next }
{ others = FNR }
$0 == first[FNR] { next }
{
	count = split(first[FNR], word)
	if ($1 != "timeline" || count != NF || word[1] != $1 || word[2] != $2) { differs = 1; exit }
	for (i = 3; i <= NF; i++)
		if (word[i] - $i > slack || $i - word[i] > slack) { differs = 1; exit }
}
END { exit differs || lines == 0 || lines != others }

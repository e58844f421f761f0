# 디스코드 문이 스스로 하는 말.

discord-my-moves = 내 차례
discord-moves = 지금 할 수 있는 일:
discord-no-moves = 지금은 할 수 있는 일이 없어요.
discord-done = 됐어요.
discord-over = 끝났어요
discord-row = { $who }님 — { $detail }
discord-more = 그 밖에 { $more }명
discord-hidden = 뒤집힌 카드 { $hidden }장
discord-earlier = (앞에 { $earlier }장 더) { $cards }
discord-picture = { $title }: 테이블에 놓인 카드 그림 (내용은 위의 글과 같아요)
discord-nowhere = 어디에서 하고 계신지 모르겠어요. 먼저 서버의 채널에서 명령을 입력해 주세요.
discord-no-whisper = 당신에게만 할 대답이 있는데 보낼 수가 없어요. 슬래시 명령을 쓰면 대답이 당신에게만 보여요.
discord-unknown-command = 그 명령은 이제 없어요. / 를 다시 입력하고 목록에서 골라 주세요.
discord-too-long = 명령이 너무 길어요.
